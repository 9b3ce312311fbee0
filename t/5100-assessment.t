#!/bin/bash
# Risk assessment: what the assessor is told, what its answer is worth, and
# that no failure of it approves anything.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
export HOME=$scratch/home
mkdir "$HOME"
on='.policy.features.experimental_sandbox_command_assessment = true | .command.escalate = true | .command.justification = "why {{command}}"'
script() {
	printf '#!/bin/sh\n%s\n' "$1" >"$scratch/assessor"
	chmod 755 "$scratch/assessor"
}
# assess FILTER: asks; the request in $scratch/request
assess() {
	rm -f "$scratch/request"
	stage sbx-approve --approver "cat >$scratch/request; echo '{\"decision\":\"denied\"}'" < <(doc "$1")
	risk=$(jq -c .risk "$scratch/request")
}
with="$on | .policy.sbx.assessor.command = [\"$scratch/assessor\"]"

assess '.command.escalate = true'
is "off: the approver gets no assessment" "$risk" null
assess "$on"
is "on, none configured: ours" "$risk" '{"level":"medium","description":"the command asks to run outside the sandbox"}'
assess "$on | .command.argv = [\"rm\", \"-rf\", \"x\"]"
is "... which knows what is dangerous" "$(jq -r .level <<<"$risk")" high
script "cat >$scratch/prompt; echo '{\"risk_level\":\"high\",\"description\":\"bad\"}'"
assess "$with"
is "configured: what it says" "$risk" '{"level":"high","description":"bad"}'
is "also in the document" "$(field '.approval.risk | tojson')" '{"level":"high","description":"bad"}'
for told in 'make test' "$ws" 'why {{command}}' 'workspace-write'; do
	ok "it is told: $told" grep -qF "$told" "$scratch/prompt"
done
unlike "every place in the template is filled" "$(grep -v 'why' "$scratch/prompt")" '\{\{'
assess "$with | .result = {denied: true, denials: [{op: \"write\", path: \"/x\"}], stderr: \"No way\"}"
ok "and what the command printed" grep -q 'No way' "$scratch/prompt"
script "cat >/dev/null; printf 'Here you are:\n\`\`\`json\n{\"risk_level\":\"low\",\"description\":\"fine\"}\n\`\`\`\n'"
assess "$with"
is "a fence around it is no matter" "$(jq -r .level <<<"$risk")" low

fails() {
	script "$2"
	assess "$with"
	is "$1: no assessment, and the question is asked" "$risk $status" "null 1"
}
fails "junk" 'cat >/dev/null; echo junk'
fails "another level" 'cat >/dev/null; echo "{\"risk_level\":\"none\",\"description\":\"x\"}"'
fails "no description" 'cat >/dev/null; echo "{\"risk_level\":\"low\"}"'
fails "a failure" 'cat >/dev/null; echo "{\"risk_level\":\"low\",\"description\":\"x\"}"; exit 1'
fails "a decision" 'cat >/dev/null; echo "{\"decision\":\"approved\"}"'
before=$(date +%s)
fails "too late" 'cat >/dev/null; sleep 60; echo "{\"risk_level\":\"low\",\"description\":\"x\"}"'
ok "after five seconds" [ "$(($(date +%s) - before))" -lt 20 ]
assess "$on | .policy.sbx.assessor.command = [\"$scratch/absent\"]"
is "a program that is not there" "$risk" null
assess "$on | .policy.sbx.assessor.command = [\"assessor\"]"
is "a name without a path" "$risk" null
script "cat >$scratch/prompt; echo '{\"risk_level\":\"low\",\"description\":\"x\"}'"
rm -f "$scratch/prompt"
stage sbx-approve < <(doc "$with | .command.escalate = false")
is "nobody is assessed when nobody is asked" "$status $(ls "$scratch/prompt" 2>/dev/null)" "0 "
finish
