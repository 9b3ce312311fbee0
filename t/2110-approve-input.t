#!/bin/bash
# sbx-approve: the key of a decision, and what it refuses to judge.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"

key() {
	stage sbx-approve < <(doc "$1")
	field .approval.key
}
is "key: plain words" "$(key .)" "exec:make test"
is "key: two commands that look alike differ (one word)" \
	"$(key '.command.argv = ["a b"]')" "exec:'a b'"
is "key: two commands that look alike differ (two words)" \
	"$(key '.command.argv = ["a", "b"]')" "exec:a b"
is "key: quotes" "$(key '.command.argv = ["it'"'"'s", ""]')" "exec:'it'\\''s' ''"
is "key: a patch is its files" \
	"$(key '.command.tool = "patch" | .command.files = ["/a", "/b c"]')" "patch:/a '/b c'"
is "key: bytes that are not UTF-8 are kept" \
	"$(key '.command.argv = [{base64: "/w=="}]' | jq -r .base64 | base64 -d | od -An -tx1 | tr -d ' \n')" \
	"657865633a27ff27"

stage sbx-approve < <(doc)
is "class and risk are there" \
	"$(field '"\(.approval.command_class) \(.approval.risk.level)"')" "unknown low"
is "no grant unless it was given" "$(field '.approval | has("grant")')" false

refuses() {
	stage sbx-approve < <(doc "$2")
	is "refused: $1" "$status $(field '"\(.error.stage) \(.error.exit) \(.approval)"')" \
		"3 sbx-approve 3 null"
	like "... in a clear line" "$err" "^sbx-approve: $3"
	is "... and only one" "$(error_lines)" 1
}
refuses "no policy" 'del(.policy)' 'policy: missing'
refuses "policy that is no object" '.policy = true' 'policy: missing'
refuses "unknown approval policy" '.policy.approval_policy = "sometimes"' 'policy: .*"sometimes"'
refuses "missing approval policy" 'del(.policy.approval_policy)' 'policy: .*\(missing\)'
refuses "unknown mode" '.policy.sandbox_policy.type = "full"' 'policy: .*"full"'
refuses "missing mode" 'del(.policy.sandbox_policy)' 'policy: .*\(missing\)'
refuses "no command" 'del(.command)' 'command: missing'
refuses "empty argv" '.command.argv = []' 'command.argv: no command'
refuses "unknown preference" '.command.preference = "maybe"' 'command.preference'
refuses "escalate that is no boolean" '.command.escalate = "no"' 'command.escalate'
refuses "patch without files" '.command.tool = "patch"' 'command.files'
refuses "patch with no file" '.command.tool = "patch" | .command.files = []' 'command.files'

run "$SBX/sbx-approve" --no-such-option
is "unknown option" "$status" 2
run "$SBX/sbx-approve" operand
is "operand" "$status" 2
run "$SBX/sbx-approve" --help
is "--help" "$status" 0
run "$SBX/sbx-approve"
is "no document at all is no error" "$status$out$err" 0

finish
