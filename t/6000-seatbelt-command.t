#!/bin/bash
# sbx-seatbelt is a filter: policy and command in, the command line of
# sandbox-exec out, and nothing of the policy in the profile's text.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/seatbelt.sh"
anyone

doc >"$scratch/doc"
wrap <"$scratch/doc"
is "a document in, a document out" "$status $(field '.sbx')" "0 1"
is "the program, by its path" "$(field '.exec.argv[0:2] | tojson')" '["/usr/bin/sandbox-exec","-p"]'
is "-- before the command" "$(field '.exec.argv | .[index("--"):] | tojson')" '["--","make","test"]'
is "between them only -DNAME=VALUE" \
	"$(field '.exec.argv | .[3:index("--")] | map(select(test("^-D[A-Z_0-9]+=") | not)) | length')" 0
is "the rest of exec" "$(field '.exec | [.cwd == "'"$ws"'", .arg0, .sandbox, .windows_sandbox_level] | tojson')" \
	'[true,null,"macos-seatbelt","disabled"]'
is "everything else stays" "$(field 'del(.exec) | tojson' | jq -S .)" "$(jq -S . "$scratch/doc")"
first=$out
wrap <"$scratch/doc"
is "the same again: fixed order" "$out" "$first"
cat "$scratch/doc" "$scratch/doc" >"$scratch/two"
wrap <"$scratch/two"
is "a stream of documents" "$(wc -l <"$scratch/.out")" 2

doc '.command.argv = ["-p", "--", "(allow default)"]' | wrap
is "a command of options stays a command" "$(field '.exec.argv | .[index("--"):] | tojson')" \
	'["--","-p","--","(allow default)"]'
doc "$selected"' | .sandbox.type = "macos-seatbelt" | .exec = {argv: ["a"], cwd: "/c", env: {A: "b"}, arg0: null}' | wrap
is "the plan of sbx-wrap is kept" "$(field '[.exec.argv[-1], .exec.cwd, .exec.env.A] | tojson')" '["a","/c","b"]'
doc '.command.env = {PATH: "/bin", AWS_SECRET_ACCESS_KEY: "x", HOME: "/h"}' | wrap
is "alone, a command gets no more than the core" "$(field '.exec.env | keys | tojson')" \
	'["CODEX_SANDBOX","CODEX_SANDBOX_NETWORK_DISABLED","HOME","PATH","SBX_SANDBOX"]'

doc "$approved"' | .approval.decision = "denied"' | wrap
is "what was denied is not wrapped" "$status $(field '"\(.error.exit) \(.exec)"')" "1 1 null"
doc "$selected"' | .sandbox.type = "linux-seccomp"' | refuses "another sandbox" 'sandbox.type: "linux-seccomp"'
doc 'del(.policy)' | refuses "no policy" 'policy: missing'
doc '.error = {stage: "x", code: "y", message: "z", exit: 4}' | wrap
is "an error travels" "$status $(field .error.message)" "4 z"

# ---- through sbx-wrap -----------------------------------------------------------
doc "$selected"' | .sandbox.type = "macos-seatbelt" | .sandbox.backend = "sandbox-exec" | .command.env = {PATH: "/bin", MY_TOKEN: "x"}' |
	stage sbx-wrap --platform macos
cp "$scratch/.out" "$scratch/wrapped"
is "sbx-wrap calls it" "$status $(field '.exec.argv[0]')" "0 /usr/bin/sandbox-exec"
is "... with the environment of its policy" "$(field '.exec.env | [.CODEX_SANDBOX, .MY_TOKEN] | tojson')" '["seatbelt",null]'
decide "through sbx-wrap" <<END
allow file-write-create file /private$ws/x
deny file-write-create file /private/etc/x
END
"$SBX/sbx-policy" -C "$ws" -s workspace-write -a never -- true 2>/dev/null | "$SBX/sbx-approve" |
	"$SBX/sbx-select" --platform macos | stage sbx-wrap --platform macos
is "the whole pipe" "$status $(field '.exec.argv[0]')" "0 /usr/bin/sandbox-exec"
python3 - "$SHARE/schema/document.json" "$scratch/.out" >"$scratch/valid" 2>&1 <<'END'
import json, sys, jsonschema
jsonschema.Draft202012Validator(json.load(open(sys.argv[1]))).validate(json.load(open(sys.argv[2])))
END
is "... and the document fits the schema" "$(cat "$scratch/valid")" ""
cp "$scratch/.out" "$scratch/mac"
run "$SBX/sbx-run" --exec <"$scratch/mac"
like "a wrap of macOS does not run elsewhere" "$status $err" '^125 sbx-run: exec.sandbox: "macos-seatbelt": cannot be run here'

# ---- --profile ---------------------------------------------------------------------
stage sbx-seatbelt --profile <"$scratch/doc"
is "--profile: the text alone" "$status $(head -n 1 "$scratch/.out")" "0 (version 1)"
is "... the one of the command" "$out" "$(jq -r '.exec.argv[2]' <<<"$first")"
is "... with a comment per section, in their order" "$(sed -n 's/^; ---- \([a-z]*\):.*/\1/p' "$scratch/.out" | tr '\n' ' ')" \
	"base read write network preferences pins "
doc '.policy.permissions.fs = [{path: "x", access: "read"}]' | stage sbx-seatbelt --profile
is "--profile: nothing for a bad policy" "$status $(wc -c <"$scratch/.out")" "3 0"
run "$SBX/sbx-seatbelt" --profile x
is "wrong usage" "$status" 2
finish
