#!/bin/bash
# After a denial: who is asked, what is granted, at most one retry, and the record.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/approver.sh"
need USERNS
mkdir "$scratch/log"
audit=$scratch/log/audit
# attempt POLICY COMMAND...: captured, with the approver
attempt() {
	local policy=$1
	shift
	rm -rf "$scratch/asked" "$outside"
	mkdir "$outside"
	run_sbx --json -s workspace-write -a "$policy" -C "$ws" --approver "$scratch/approver" --audit "$audit" -- "$@"
	seen=$(jq -r '"\(.approval.decision) \(.approval.by) \(.sandbox.type) \(.result.attempts) \(.result.exit_code)"' <<<"$out")
}
write=(sh -c 'echo x >"$1/f"' sh "$outside")
runs=(sh -c 'echo ran >>"$0/count"; echo x >"$1/f"' "$ws" "$outside")

answer '{"decision":"approved","grant":{"sandbox":"none"}}'
attempt on-request "${write[@]}"
is "approved in so many words: a second run without the sandbox" "$status $seen $(cat "$outside/f" 2>&1)" "0 approved approver none 2 0 x"
rm -f "$outside/f"
answer '{"decision":"approved"}'
for policy in on-request on-failure; do
	attempt $policy "${write[@]}"
	is "$policy: approved: a second run, with just what was denied" "$status $seen $(cat "$outside/f" 2>&1)" "0 approved approver linux-seccomp 2 0 x"
	is "$policy: asked once" "$(asked)" 1
done
answer '{"decision":"denied"}'
attempt on-request "${write[@]}"
is "denied: the failure is returned" "$(jq -r .result.attempts <<<"$out") $(ls "$outside")" "1 "
isnt "with its code" "$status" 0
is "and was asked" "$(asked)" 1
attempt never "${write[@]}"
is "never: nobody is asked" "$(asked) $(ls "$outside") $(jq -r .result.denied <<<"$out")" "0  true"
attempt on-request sh -c 'exit 3'
is "a failure that is no denial is no question" "$status $(asked)" "3 0"
attempt on-request true
is "success is no question" "$status $(asked)" "0 0"

# The least: one directory.
answer "{\"decision\":\"approved\",\"grant\":{\"write\":[\"$outside\"]}}"
attempt on-request "${write[@]}"
is "a grant: a second run in the sandbox, with that directory" "$status $seen $(cat "$outside/f" 2>&1)" "0 approved approver linux-seccomp 2 0 x"
attempt on-request sh -c 'echo x >"$1/f"; echo x >"$2/escaped"; mkdir "$1/.git/x"; echo x >"$1/.codex"' sh "$outside" "$scratch"
is "no more than that" "$(ls -A "$outside") $(absent "$scratch/escaped"; echo $?)" "f 0"
mkdir -p "$ws/.git/hooks"
answer "{\"decision\":\"approved\",\"grant\":{\"write\":[\"$ws\"]}}"
attempt on-request sh -c 'echo evil >.git/hooks/pre-commit'
is "a grant of the root does not open what is protected in it" "$(ls "$ws/.git/hooks")" ""
answer "{\"decision\":\"approved\",\"grant\":{\"write\":[\"$ws/.git/hooks\"]}}"
attempt on-request sh -c 'echo x >.git/hooks/mine; echo x >.git/config'
is "named exactly, it is opened, alone" "$(ls "$ws/.git/hooks") $(ls "$ws/.git")" "mine hooks"
ln -s "$outside" "$scratch/link"
mkdir -p "$scratch/other/deep/repo/.git/hooks" "$scratch/other/plain"
answer "{\"decision\":\"approved\",\"grant\":{\"write\":[\"$scratch/other\"]}}"
attempt on-request sh -c 'echo x >"$1/plain/f"; echo evil >"$1/deep/repo/.git/hooks/h"; mv "$1/deep" "$1/moved"; mkdir "$1/.codex/x"' sh "$scratch/other"
is "repositories inside a granted directory stay protected" \
	"$(cd "$scratch/other" && find . -type f | sort | xargs) $(cd "$scratch/other" && echo *)" "./plain/f deep plain"
# Bare ones, too; granted itself, such a one keeps its hooks and configuration.
git init -q --bare "$scratch/other/deep/x.git"
attempt on-request sh -c 'echo x >"$1/plain/g"; for f in hooks/h config description; do echo evil >"$1/deep/x.git/$f"; done' sh "$scratch/other"
is "bare repositories as well" "$(ls "$scratch/other/plain") $(grep -rl evil "$scratch/other")" "f
g "
answer "{\"decision\":\"approved\",\"grant\":{\"write\":[\"$scratch/other/deep/x.git\"]}}"
attempt on-request sh -c 'for f in hooks/h config description; do echo evil >"$1/deep/x.git/$f"; done' sh "$scratch/other"
is "granted itself, without what runs later" "$(cd "$scratch/other" && grep -rl evil .)" "./deep/x.git/description"
answer "{\"decision\":\"approved\",\"grant\":{\"write\":[\"$scratch/other\"]}}"
# Deeper than a path is long: what cannot be looked through is not granted.
mkdir "$scratch/other/plain/end"
attempt on-request "${write[@]:0:3}" sh "$scratch/other/plain/end"
is "control: what can be is" "$status $(ls "$scratch/other/plain/end")" "0 f"
if have USER; then
	mkdir -p "$scratch/other/shut/repo/.git/hooks"
	rm "$scratch/other/plain/end/f"
	chmod 300 "$scratch/other/shut"
	attempt on-request "${write[@]:0:3}" sh "$scratch/other/plain/end"
	is "nor what the command could open for itself" "$(ls "$scratch/other/plain/end")" ""
	chmod 700 "$scratch/other/shut"
	: >"$scratch/other/plain/end/f"
else
	skip "a directory that cannot be listed" "root lists every one"
fi
(
	cd "$scratch/other" && for _ in $(seq 30); do
		name=$(printf 'd%.0s' {1..200})
		mkdir "$name" && cd -P "$name" || exit
	done
	mkdir -p .git/hooks
) 2>/dev/null
rm "$scratch/other/plain/end/f"
attempt on-request "${write[@]:0:3}" sh "$scratch/other/plain/end"
is "a tree that is too deep is not granted" "$(ls "$scratch/other/plain/end")" ""
like "... and it is said" "$err" 'grant: .*grant a smaller directory'
answer "{\"decision\":\"approved\",\"grant\":{\"write\":[\"$scratch/link\"]}}"
attempt on-request "${write[@]}"
is "a link is the place it leads to" "$status $(jq -c .approval.grant <<<"$out")" "0 {\"write\":[\"$outside\"]}"
answer '{"decision":"approved","grant":{"network":"loopback"}}'
attempt on-request "${write[@]}"
is "a grant of something else: no third run" "$(jq -r .result.attempts <<<"$out") $(asked) $(ls "$outside")" "2 1 "
rm -f "$ws/count"
answer '{"decision":"approved","grant":{"write":["/nowhere"]}}'
attempt on-request "${runs[@]}"
is "two runs in all" "$(wc -l <"$ws/count") $(asked)" "2 1"

# A session answers the second time.
answer '{"decision":"approved_for_session"}'
rm -f "$scratch/asked"
run "$SBX/sbx-approve" --serve --approver "$scratch/approver" -- sh -c "
	for i in 1 2; do rm -f $outside/f; $SBX/sbx-run --json -s workspace-write -a on-failure -C $ws -- sh -c 'echo x >$outside/f' |
		jq -r '\"\(.approval.by) \(.result.attempts) \(.sandbox.type)\"'; done"
is "approved for the session: the next one has it at once" "$(xargs <<<"$out") $(asked)" "approver 2 linux-seccomp cache 1 linux-seccomp 1"

# Escalation through sbx-run.
answer '{"decision":"approved"}'
run_sbx -s workspace-write -a on-request -C "$ws" --approver "$scratch/approver" --escalate --justification why -- sh -c 'echo "$SBX_SANDBOX"; echo x >"$1"' sh "$outside/escalated"
is "--escalate, approved" "$status $out $(ls "$outside/escalated")" "0 none $outside/escalated"
is "with its justification" "$(tail -n 1 "$scratch/asked" | jq -r .justification)" why
answer '{"decision":"denied"}'
run_sbx -s workspace-write -a on-request -C "$ws" --approver "$scratch/approver" --escalate -- touch "$outside/no"
is "denied: 126, nothing ran" "$status $(ls "$outside/no" 2>/dev/null)" "126 "

# The record.
rm -f "$audit"
answer '{"decision":"approved"}'
attempt on-request "${write[@]}"
is "one record for a run" "$(wc -l <"$audit")" 1
is "who asked, who decided, what became of it" "$(jq -c '[.command.argv[0], .command.cwd, .policy.approval_policy, .approval.decision, .approval.by, .sandbox.type, .result.exit_code, .counters.attempts, .counters.questions, .status]' "$audit")" \
	"[\"sh\",\"$ws\",\"on-request\",\"approved\",\"approver\",\"linux-seccomp\",0,2,1,0]"
like "when" "$(jq -r .time "$audit")" '^20[0-9-]+T[0-9:.]+Z$'
is "for nobody else to read" "$(stat -c %a "$audit")" 600
run_sbx -s workspace-write -a untrusted -C "$ws" --audit "$audit" -- make
is "what is not approved is recorded too" "$status $(tail -n 1 "$audit" | jq -r '"\(.approval.decision) \(.status)"')" "126 denied 126"
run_sbx -s workspace-write -a never -C "$ws" --audit "$audit" -- sh -c 'exit 7'
is "and a plain run" "$status $(tail -n 1 "$audit" | jq -r '"\(.result.exit_code) \(.status)"')" "7 7 7"
for _ in 1 2 3 4 5 6 7 8 9 10; do "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --audit "$audit" -- true & done
wait
is "records of runs at the same time are whole" "$(jq -c .sbx_audit "$audit" | sort | uniq -c | xargs)" "13 1"
run_sbx -s workspace-write -a never -C "$ws" --audit "$ws/audit" -- touch "$ws/ran"
is "a record that the sandbox could change: nothing runs" "$status $(ls "$ws/ran" 2>/dev/null)" "125 "
like "... with the cure" "$err" 'outside of the writable roots'
run_sbx -s workspace-write -a never -C "$ws" --audit "$scratch/no/such" -- touch "$ws/ran"
is "a record that cannot be written: nothing runs" "$status $(ls "$ws/ran" 2>/dev/null)" "125 "
finish
