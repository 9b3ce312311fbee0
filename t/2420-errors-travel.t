#!/bin/bash
# Errors travel: what failed once passes every later stage untouched, and a
# pipe without pipefail cannot run anything after a failure.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"

for name in sbx-approve sbx-select sbx-wrap; do
	for code in 1 2 3 4 5 125; do
		before=$(doc ".error = {stage: \"x\", code: \"c\", message: \"m\", exit: $code}")
		stage "$name" <<<"$before"
		is "$name passes an error on, untouched and silent, with status $code" \
			"$status $out$err" "$code $before"
	done
	for error in '{}' 'null' '"text"' '{exit: 0}' '{exit: -1}' '{exit: 256}' '{exit: "0"}' 'false'; do
		before=$(doc ".error = $error")
		stage "$name" <<<"$before"
		is "$name: an error is an error whatever it looks like: $error" "$status $out" "3 $before"
	done
	stage "$name" < <(doc '.error = {exit: 4}'; doc "$selected")
	is "$name: the first failure is the exit status" "$status" 4
done

# The effect, from outside: a command that would leave a mark.
mark=$outside/mark
touching=".command.argv = [\"touch\", \"$mark\"] |
	.policy.sandbox_policy.type = \"danger-full-access\" | .policy.approval_policy = \"never\""
pipe() { # a document on stdin, and a chance to spoil it after each stage
	"$SBX/sbx-approve" 2>/dev/null | ${1:-cat} | "$SBX/sbx-select" 2>/dev/null | ${2:-cat} |
		"$SBX/sbx-wrap" 2>/dev/null | ${3:-cat} | "$SBX/sbx-run" --exec >/dev/null 2>&1
}
doc "$touching" | pipe
ok "control: the pipe runs its command" exists "$mark"
rm -f "$mark"

nothing() {
	isnt "$1: the pipe fails" "$2" 0
	ok "$1: nothing ran" absent "$mark"
	rm -f "$mark"
}
doc "$touching | .command.cwd = \"/no/such/directory\"" | pipe
nothing "a directory that is not there" $?
doc "$touching | .policy.permissions.fs[0].path = \"x\"" | pipe
nothing "a policy with a relative path" $?
doc "$touching | .policy.approval_policy = \"x\"" | pipe
nothing "an unknown policy" $?
doc "$touching | .error = {}" | pipe
nothing "an error at the start" $?
spoil_1() { jq -c '.error = {exit: 3}'; }
doc "$touching" | pipe spoil_1
nothing "an error after the first stage" $?
doc "$touching" | pipe cat spoil_1
nothing "an error after the second" $?
doc "$touching" | pipe cat cat spoil_1
nothing "an error after the third" $?
cut_short() { head -c 100; }
doc "$touching" | pipe cut_short
nothing "a document that is cut short" $?
doc "$touching" | pipe cat cat cut_short
nothing "a wrapped document that is cut short" $?
doc "$touching" | pipe true
ok "a stage that says nothing: nothing ran" absent "$mark"

# Leaving a stage out is a failure as well.
doc "$touching" | "$SBX/sbx-select" 2>/dev/null | "$SBX/sbx-wrap" 2>/dev/null |
	"$SBX/sbx-run" --exec >/dev/null 2>&1
nothing "sbx-approve left out" $?
doc "$touching" | "$SBX/sbx-approve" 2>/dev/null | "$SBX/sbx-wrap" 2>/dev/null |
	"$SBX/sbx-run" --exec >/dev/null 2>&1
nothing "sbx-select left out" $?
doc "$touching" | "$SBX/sbx-approve" 2>/dev/null | "$SBX/sbx-select" 2>/dev/null |
	"$SBX/sbx-run" --exec >/dev/null 2>&1
nothing "sbx-wrap left out" $?

finish
