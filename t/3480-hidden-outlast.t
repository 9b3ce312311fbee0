#!/bin/bash
# What the policy hides stays hidden, whatever is approved: a run outside the
# sandbox is refused unless whoever approves it names every hidden place.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
. "$TESTS/lib/approver.sh"
export CODEX_HOME=$scratch/codex TERM=dumb
mkdir -p "$CODEX_HOME/rules"
secret=$outside/secret
mkdir "$secret"
echo classified >"$secret/key"
screen=$HELPER/screen

# piped FILTER APPROVE-OPTION... -- the whole pipe, the policy changed on the way
hide='.policy.permissions.fs += [{path: $s, access: "none"}]'
piped() {
	local filter=$1
	shift
	"$SBX/sbx-policy" -s workspace-write -a "${policy-on-request}" -C "$ws" ${flags:+"$flags"} -- "${command[@]}" |
		jq -c --arg s "$secret" "$filter" | "$SBX/sbx-approve" "$@" | "$SBX/sbx-select" | "$SBX/sbx-wrap" |
		"$SBX/sbx-run" --exec
}
command=(cat "$secret/key")
answer '{"decision":"approved"}'
flags=--escalate run piped . --approver "$scratch/approver"
is "control: approved outside, it is read where nothing hides it" "$out" classified
flags=--escalate run piped "$hide" --approver "$scratch/approver"
unlike "escalate: a plain yes does not open it" "$out" classified
like "and the line names it" "$err" "hides $secret"
like "the request names it too" "$(tail -n 1 "$scratch/asked" | jq -c .hidden)" "$secret"
flags=--forbid run piped "$hide" --approver "$scratch/approver"
unlike "forbid: neither" "$out" classified
answer '{"decision":"approved","grant":{"sandbox":"none"}}'
flags=--escalate run piped "$hide" --approver "$scratch/approver"
unlike "a grant of no sandbox: neither" "$out" classified
answer "{\"decision\":\"approved\",\"grant\":{\"sandbox\":\"none\",\"none\":[\"$outside\"]}}"
flags=--escalate run piped "$hide" --approver "$scratch/approver"
unlike "nor when it names something else" "$out" classified
two='.policy.permissions.fs += [{path: $s, access: "none"}] | .policy.permissions.deny_globs = ["/w/**/.env"]'
answer "{\"decision\":\"approved\",\"grant\":{\"sandbox\":\"none\",\"none\":[\"$secret\"]}}"
flags=--escalate run piped "$two" --approver "$scratch/approver"
unlike "nor when it leaves a pattern out" "$out" classified
flags=--escalate run piped "$hide" --approver "$scratch/approver"
is "control: named, it is opened" "$out" classified

echo 'prefix_rule(pattern=["cat"])' >"$CODEX_HOME/rules/a.rules"
flags=--escalate run piped .
is "control: a rule runs it outside" "$out" classified
flags=--escalate run piped "$hide"
unlike "not where something is hidden" "$out" classified
rm "$CODEX_HOME/rules/a.rules"
full='.policy.sandbox_policy = {type: "danger-full-access"} | '$hide
run piped "${full/none/read}"
is "control: full access reads it" "$out" classified
run piped "$full"
unlike "not what the policy hides all the same" "$out" classified

# After a denial: a plain yes gives what was denied, but nothing that is hidden.
denied() {
	doc "$hide"' | .result = {denied: true, denials: [{op: "read", path: ($s + "/key"), syscall: "openat"}]}'
}
doc() {
	jq -cn --arg ws "$ws" --arg s "$secret" '{sbx: 1, command: {argv: ["make", "test"], cwd: $ws},
		policy: {approval_policy: "on-request", sandbox_policy: {type: "workspace-write"},
			permissions: {fs: [{path: "/", access: "read"}, {path: $ws, access: "write"}], network: "off"}}} | '"$1"
}
answer '{"decision":"approved"}'
stage sbx-approve --approver "$scratch/approver" < <(denied)
is "a plain yes to a denial opens nothing hidden" "$status $(field .approval.decision)" "1 denied"
answer '{"decision":"approved","grant":{"sandbox":"none"}}'
stage sbx-approve --approver "$scratch/approver" < <(denied)
is "nor does leaving the sandbox" "$status $(field .approval.decision)" "1 denied"
answer "{\"decision\":\"approved\",\"grant\":{\"read\":[\"$secret/key\"]}}"
stage sbx-approve --approver "$scratch/approver" < <(denied)
is "nor a grant that names it" "$status $(field .approval.decision)" "1 denied"
answer "{\"decision\":\"approved\",\"grant\":{\"read\":[\"$secret/key\"],\"write\":[\"$outside\"]}}"
stage sbx-approve --approver "$scratch/approver" < <(denied)
is "what else it names is given" "$status $(field '.approval.grant | tojson')" "0 {\"write\":[\"$outside\"]}"
stage sbx-approve --approver "$scratch/approver" < <(doc '.policy.permissions.fs = [{path: $ws, access: "write"}, {path: "/etc/x", access: "none"}] |
	.result = {denied: true, denials: [{op: "read", path: ($s + "/key"), syscall: "openat"}]}')
is "control: what is merely not given can be given" "$(field '.approval.grant.read | tojson')" "[\"$secret/key\"]"

# A session remembers no more than was said.
printf '%s\n' "$(doc ".command.escalate = true | $hide")" >"$scratch/doc"
cat >"$scratch/twice" <<END
"$SBX/sbx-approve" <"$scratch/doc" 2>/dev/null | jq -r .approval.decision
"$SBX/sbx-approve" <"$scratch/doc" 2>/dev/null | jq -r '"\(.approval.decision) \(.approval.by)"'
END
answer '{"decision":"approved_for_session"}'
run "$SBX/sbx-approve" --serve --approver "$scratch/approver" -- sh "$scratch/twice"
unlike "a session's plain yes neither" "$out" approved
answer "{\"decision\":\"approved_for_session\",\"grant\":{\"sandbox\":\"none\",\"none\":[\"$secret\"]}}"
run "$SBX/sbx-approve" --serve --approver "$scratch/approver" -- sh "$scratch/twice"
is "control: named, it is remembered" "$(tail -n 1 <<<"$out")" "approved_for_session cache"

# A document that says it was approved is judged again.
forged=$(doc "$hide"' | .approval = {decision: "approved", grant: {sandbox: "none"}}')
stage sbx-select <<<"$forged"
is "sbx-select refuses it" "$status" 1
stage sbx-wrap < <(jq -c '.sandbox = {type: "none", backend: null, reason: "r", capabilities: {}, lost: []}' <<<"$forged")
is "sbx-wrap refuses it" "$status" 1

# At the terminal it takes a key of its own.
at_terminal() {
	printf '#!/bin/sh\nexec "%s" <"%s" 2>/dev/null >"%s"\n' "$SBX/sbx-approve" "$scratch/doc" "$scratch/result" >"$scratch/ask"
	chmod +x "$scratch/ask"
	rows=$("$screen" 80 80 "$1" '[n] ' -- "$scratch/ask")
	cp "$scratch/result" "$scratch/.out"
	heed
}
at_terminal onn
is "o alone is no yes" "$(field .approval.decision)" denied
like "the question shows what is hidden" "$rows" "hidden +$secret"
at_terminal oonn
is "nor is it twice" "$(field .approval.decision)" denied
at_terminal oh
is "o and h: opened, by name" "$(field '.approval.grant | tojson')" "{\"sandbox\":\"none\",\"none\":[\"$secret\"]}"

# untrusted asks under full access too.
stage sbx-approve < <(doc '.policy.approval_policy = "untrusted" | .policy.sandbox_policy.type = "danger-full-access"')
is "untrusted asks with full access" "$status $(field .approval.by)" "1 none"
stage sbx-approve < <(doc '.policy.approval_policy = "untrusted" | .policy.sandbox_policy.type = "danger-full-access" | .command.argv = ["ls"]')
is "control: not about what is safe" "$status $(field .approval.by)" "0 safe-command"
finish
