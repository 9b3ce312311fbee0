#!/bin/bash
# sbx-wrap: the argv, directory and arg0 to execute, and what it refuses.
. "${0%/*}/lib/lib.sh"
slow
. "$TESTS/lib/documents.sh"

linux=$selected' | .sandbox.type = "linux-seccomp" | .sandbox.backend = "bubblewrap"'
helper=$(realpath "$SBX/sbx-linux-sandbox")

wrapped() {
	local filter=$1
	shift
	stage sbx-wrap "$@" < <(doc "$filter")
}

wrapped "$selected"
is "without a sandbox: the command itself" "$status $(field '.exec | tojson | fromjson |
	"\(.argv | tojson) \(.arg0) \(.sandbox) \(.windows_sandbox_level)"')" \
	'0 ["make","test"] null none disabled'
is "... in its directory" "$(field .exec.cwd)" "$ws"

wrapped "$linux | .policy.sbx = {bwrap: \"auto\"} | .policy.secret = 1"
is "Linux: the helper by its own path" "$(field '.exec.argv[0]')" "$helper"
is "... started under its name" "$(field .exec.arg0)" sbx-linux-sandbox
is "... with its options" "$(field '.exec.argv | del(.[2]) | .[1:] | tojson')" \
	"$(jq -nc --arg ws "$ws" '["--policy", "--cwd", $ws, "--", "make", "test"]')"
is "... and the policy it enforces, no more" "$(field '.exec.argv[2]')" \
	"$(field '{permissions: .policy.permissions, sbx: .policy.sbx} | tojson')"
is "... the type" "$(field .exec.sandbox)" linux-seccomp
wrapped "$linux"
is "no settings of ours: none passed" "$(field '.exec.argv[2] | fromjson | keys | join(" ")')" permissions
wrapped "$linux | .sandbox.backend = \"landlock\""
is "Landlock alone is said" "$(field '.exec.argv[3:7] | tojson')" \
	"$(jq -nc --arg ws "$ws" '["--cwd", $ws, "--landlock", "--"]')"
wrapped "$linux | .command.argv = [\"--bind\", \"-x\", \"--\"]"
is "a command that looks like options stays behind --" "$(field '.exec.argv[5:] | tojson')" \
	'["--","--bind","-x","--"]'
wrapped "$linux | .command.argv = [{base64: \"/w==\"}]"
is "bytes that are not UTF-8 stay" "$(field '.exec.argv[-1] | tojson')" '{"base64":"/w=="}'
(cd / && PATH='' "$SBX/sbx-wrap" < <(doc "$linux")) >"$scratch/elsewhere"
is "neither PATH nor the directory chooses the helper" "$(jq -r '.exec.argv[0]' "$scratch/elsewhere")" "$helper"

refuses() {
	wrapped "$3"
	is "refused: $1" "$status $(field '"\(.error.stage) \(.error.exit) \(.exec)"')" \
		"$2 sbx-wrap $2 null"
	like "... in a clear line" "$err" "^sbx-wrap: $4"
	is "... and only one" "$(error_lines)" 1
}
refuses "no policy" 3 "$selected | del(.policy)" 'policy: missing'
refuses "no approval" 3 "$selected | del(.approval)" 'approval: missing'
refuses "no sandbox" 3 "$selected | del(.sandbox)" 'sandbox: missing'
refuses "no permissions" 3 "$selected | del(.policy.permissions)" 'permissions'
refuses "a relative path in the policy" 3 "$selected | .policy.permissions.fs[1].path = \"ws\"" \
	'permissions.fs\[1\].path: "ws": not a normalized absolute path'
refuses "an unknown sandbox" 3 "$selected | .sandbox.type = \"jail\"" 'sandbox.type: "jail"'
refuses "no sandbox type" 3 "$selected | del(.sandbox.type)" 'sandbox.type'
refuses "a sandbox of another system" 4 "$selected | .sandbox.type = \"macos-seatbelt\"" \
	'sandbox.type: macos-seatbelt needs --platform macos'
refuses "a directory that is not there" 3 "$selected | .command.cwd = \"$ws/x\"" \
	"cwd: \"$ws/x\": no such directory\$"
: >"$ws/file"
refuses "a directory that is a file" 3 "$selected | .command.cwd = \"$ws/file\"" \
	"cwd: \"$ws/file\": not a directory\$"
refuses "a relative directory" 3 "$selected | .command.cwd = \"ws\"" 'command.cwd: "ws"'
lost='.sandbox.lost = [{guarantee: "protected-paths", why: "because", cure: "do that"}]'
refuses "a lost guarantee that nobody agreed to" 4 "$selected | $lost" \
	'no sandbox: protected-paths: because \(do that\)'
wrapped "$selected | $lost | .approval.grant = {sandbox: \"none\"}"
is "... control: granted" "$status" 0
refuses "... a grant of something else" 4 "$selected | $lost | .approval.grant = {write: [\"/var/empty\"]}" 'no sandbox'
wrapped "$linux | .sandbox.backend = \"landlock\" | $lost"
is "... control: what a sandbox cannot give is said, not refused" "$status" 0

# What execve() would not take.
big() { # big BYTES FILTER-BEFORE: an argument of that size
	doc "$1" >"$scratch/.small"
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1])); d["command"]["argv"].append("x" * int(sys.argv[2]))
json.dump(d, sys.stdout)' "$scratch/.small" "$2"
}
stage sbx-wrap < <(big "$linux" 131071)
is "the longest argument" "$status" 0
stage sbx-wrap < <(big "$linux" 131072)
is "one byte more" "$status $(field .error.code)" "3 too-long"
stage sbx-wrap < <(big "$linux" "$(long 1000000 10000000)")
is "megabytes" "$status $(field '"\(.error.exit) \(.exec)"')" "3 3 null"
like "... in a clear line" "$err" '^sbx-wrap: command.argv\[2\]: has 10*0 bytes'
ok "... that is short" [ "$(wc -c <"$scratch/.err")" -lt 300 ]
stage sbx-wrap < <(doc "$selected | .command.env = {BIG: (\"x\" * 131072)}")
is "a variable that is too long" "$status" 3
like "... is named" "$err" '^sbx-wrap: variable BIG: has '
stage sbx-wrap < <(doc "$selected | .command.argv += [range(100) | \"x\" * 100000]")
is "too much in total" "$status" 3
like "... says so" "$err" 'arguments and environment have [0-9]+ bytes'
stage sbx-wrap < <(doc "$linux | .policy.permissions.fs += [range(9000) | {path: \"/some/path/\\(.)\", access: \"read\"}]")
is "a policy that no argument takes is wrapped: sbx-run passes it in a file" "$status" 0

run "$SBX/sbx-wrap" --platform plan9
is "unknown platform" "$status" 2
run "$SBX/sbx-wrap" --platform
is "missing value" "$status" 2
run "$SBX/sbx-wrap" x
is "operand" "$status" 2

finish
