#!/bin/bash
# The documents of the real stages are what share/schema says, and the schema
# would notice if they were not.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
python=/usr/bin/python3
"$python" -c 'import jsonschema' 2>/dev/null || skip_all "python3-jsonschema is not installed"

cat >"$scratch/validate" <<'END'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for name in sys.stdin:
    with open(name.rstrip("\n")) as file:
        found = [error for line in file for error in validator.iter_errors(json.loads(line))]
    words = [f"{error.json_path}: {error.message[:300]}" for error in found]
    print(" ".join("; ".join(words).split()) or "valid", flush=True)
END
# One process for all: it takes the name of a file, and says in a line what is wrong with it.
coproc validator { exec "$python" "$scratch/validate" "$SHARE/schema/document.json" 2>"$scratch/failed"; }
said() {
	local line
	echo "$1" >&"${validator[1]}" && read -r line <&"${validator[0]}" && echo "$line"
}
valid() { # DESCRIPTION <documents
	cat >"$scratch/checked"
	is "$1" "$([ -s "$scratch/checked" ] && said "$scratch/checked")" valid
}

# Every document on the way, from the real stages.
cd "$ws" || exit 1
for mode in read-only workspace-write danger-full-access external-sandbox; do
	for ask in untrusted on-failure on-request never; do
		"$SBX/sbx-policy" -s $mode -a $ask -- echo $'\xff' 'é' 2>/dev/null >"$scratch/1"
		"$SBX/sbx-approve" <"$scratch/1" 2>/dev/null >"$scratch/2"
		"$SBX/sbx-select" <"$scratch/2" 2>/dev/null >"$scratch/3"
		"$SBX/sbx-wrap" <"$scratch/3" 2>/dev/null >"$scratch/4"
		valid "$mode, $ask: each stage's document" < <(cat "$scratch"/[1-4])
	done
done
is "control: the last one is wrapped" "$(jq -r '.exec | type' "$scratch/4")" object
valid "a policy with another root and loopback" < <(
	"$SBX/sbx-policy" -s workspace-write --network loopback --add-dir "$outside" -- true 2>/dev/null)
for platform in macos windows; do
	valid "selected for $platform" < <("$SBX/sbx-policy" -- true 2>/dev/null |
		"$SBX/sbx-approve" 2>/dev/null | "$SBX/sbx-select" --platform $platform 2>/dev/null)
done
if have USERNS; then
	"$SBX/sbx-policy" -s workspace-write -- true >"$scratch/1" 2>/dev/null
	unshare -Ur bash -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$0"' \
		"$SBX/sbx-select" <"$scratch/1" >"$scratch/lost" 2>/dev/null
	valid "lost guarantees" <"$scratch/lost"
	isnt "control: some are lost" "$(jq '.sandbox.lost | length' "$scratch/lost")" 0
fi
valid "errors" < <("$SBX/sbx-wrap" <<<'{"sbx":1} nonsense' 2>/dev/null)
"$SBX/sbx-run" --json -s danger-full-access -a never -- sh -c 'printf "a\0b\377"; exit 3' \
	>"$scratch/result" 2>/dev/null
valid "a result" <"$scratch/result"
is "control: it is one" "$(jq -r .result.exit_code "$scratch/result")" 3

# What the schema must refuse: each a valid document, spoilt in one place.
"$SBX/sbx-policy" -s danger-full-access -a never -- true 2>/dev/null | "$SBX/sbx-approve" |
	"$SBX/sbx-select" | "$SBX/sbx-wrap" >"$scratch/whole"
valid "control: the document that is spoilt below" <"$scratch/whole"
while IFS= read -r spoil; do
	jq -c "$spoil" "$scratch/whole" >"$scratch/spoilt"
	like "the schema refuses: $spoil" "$(said "$scratch/spoilt")" '^\$.*: .'
done <<'END'
.sbx = 2
del(.sbx)
del(.command)
.command.argv = []
.command.argv = "true"
.command.argv = ["a\u0000b"]
.command.argv = [{base64: "!"}]
.command.argv = [{base64: "QQ==", more: 1}]
.command.cwd = "relative"
.command.timeout_ms = -1
.command.tool = "shell"
.command.tool = "patch"
.command.preference = "sometimes"
.command.escalate = "yes"
.command.env = {"A=B": "1"}
.command.env = {A: 1}
.command.source = "subagent:"
del(.policy)
.policy.approval_policy = "always"
.policy.sandbox_policy.type = "none"
.policy.sandbox_policy = {type: "external-sandbox", network_access: true}
.policy.permissions.fs = [{path: "x", access: "read"}]
.policy.permissions.fs = [{path: "/", access: "all"}]
.policy.permissions.fs = [{path: "/"}]
.policy.permissions.network = "some"
.policy.writable_roots = [{root: "/"}]
.approval.decision = "yes"
.approval.by = "me"
.approval.key = "make"
.approval.risk.level = "none"
.approval.grant = {}
.approval.grant = {everything: true}
.approval.grant = {sandbox: "some"}
del(.approval)
.sandbox.type = "jail"
.sandbox.backend = "bubblewrap"
.sandbox.lost = ["network"]
.sandbox.lost = [{guarantee: "x"}]
.exec.argv = []
.exec.env = null
.exec.sandbox = "jail"
del(.exec.arg0)
.result = {}
.error = {}
.error = {stage: "s", code: "c", message: "m", exit: 0}
END
valid "members that nobody knows are allowed" < <(
	jq -c '.anything = {a: [1]} | .command.more = 1 | .policy.more = 1 | .exec.more = 1' "$scratch/whole")

finish
