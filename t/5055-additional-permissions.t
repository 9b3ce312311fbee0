#!/bin/bash
# A command may say what it will need: one question before it runs, and no more
# than that is given.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/approver.sh"
need USERNS
mkdir "$outside/other"
# needs JSON POLICY COMMAND...: through the stages, with that in the document
needs() {
	run bash -c '"$0/sbx-policy" -s workspace-write -a "$1" -C "$2" -- "${@:5}" | jq -c --argjson more "$3" ".command.additional_permissions = \$more" |
		"$0/sbx-approve" --approver "$4" | "$0/sbx-select" | "$0/sbx-wrap" | "$0/sbx-run" --exec --json' \
		"$SBX" "$2" "$ws" "$1" "$scratch/approver" "${@:3}"
}
both='echo x >"$0/in" && echo in; echo x >"$0/other/out" 2>/dev/null && echo out; true'
outcome() { jq -c '[.approval.decision, .approval.by, .result.stdout]' "$scratch/.out"; }
want="{\"write\":[\"$outside\"]}"
answer '{"decision":"denied"}'
needs "$want" on-request sh -c "$both" "$outside"
is "asked before it runs; no is no" "$(asked) $(outcome)" '1 ["denied","approver",null]'
is "the question says what is wanted" "$(tail -n 1 "$scratch/asked" | jq -c .grant)" "$want"
answer '{"decision":"approved"}'
needs "$want" on-request sh -c "$both" "$outside"
is "yes gives it, in the sandbox" "$(outcome)" '["approved","approver","in\nout\n"]'
is "... and nothing else" "$(jq -c '[.approval.grant, .exec.sandbox]' "$scratch/.out")" "[$want,\"linux-seccomp\"]"
answer "{\"decision\":\"approved\",\"grant\":{\"write\":[\"$outside/other\",\"/etc\"],\"network\":\"on\"}}"
needs "{\"write\":[\"$outside\",\"$outside/other\"]}" on-request sh -c "$both" "$outside"
is "an answer gives some of it, and not what nobody asked for" "$(jq -c .approval.grant "$scratch/.out")" "{\"write\":[\"$outside/other\"]}"
before=$(asked)
needs "{\"write\":[\"$ws\"],\"read\":[\"/etc\"]}" on-request true
is "what the policy gives is no question" "$(($(asked) - before)) $(jq -r .approval.decision "$scratch/.out")" "0 skip"
needs "$want" never true
is "never: refused" "$(jq -r '[.approval.decision, .approval.by] | join(" ")' "$scratch/.out")" "denied policy"
for wrong in '{"sandbox":"none"}' '{"write":["relative"]}' '{"other":1}' '[]'; do
	needs "$wrong" on-request true
	is "refused: $wrong" "$(jq -r .error.exit "$scratch/.out")" 3
done
finish
