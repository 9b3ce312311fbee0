#!/bin/bash
# The decision tree: every approval policy, in every mode, for every want.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
anyone

declare -A want=([run]='.' [escalate]='.command.escalate = true'
	[forbid]='.command.preference = "forbid"'
	[patch]='.command.tool = "patch" | .command.files = [$ws + "/a"]')

# skip: runs unasked.  ask: somebody has to be asked, and there is nobody.
# refuse: would have been asked, and the policy is never to ask.
# shellcheck disable=SC2034 # read through ${!kind}
while read -r policy mode run escalate forbid patch; do
	for kind in run escalate forbid patch; do
		due=${!kind}
		stage sbx-approve < <(doc "${want[$kind]} | .policy.approval_policy = \"$policy\" |
			.policy.sandbox_policy.type = \"$mode\"")
		said=$(field '"\(.approval.decision) \(.approval.by) \(.approval.required) \(.error)"')
		case $due in
		skip) is "$policy, $mode, $kind: runs" "$status $said $err" "0 skip policy false null " ;;
		ask)
			is "$policy, $mode, $kind: nobody to ask" "$status $said" "1 denied none true null"
			like "... and says so with the cure" "$err" \
				'^sbx-approve: denied: nobody to ask: .*; .*(-a |-s )'
			;;
		refuse)
			is "$policy, $mode, $kind: refused" "$status $said" "1 denied policy true null"
			like "... because the policy is never" "$err" \
				'^sbx-approve: denied: nobody is asked under -a never: .*; '
			;;
		esac
		[ "$due" = skip ] || is "... in one line" "$(error_lines)" 1
	done
done <<'END'
never       danger-full-access  skip  skip    skip    skip
on-request  danger-full-access  skip  skip    skip    ask
on-change   danger-full-access  skip  skip    skip    ask
on-failure  danger-full-access  skip  skip    skip    ask
untrusted   danger-full-access  ask   ask     ask     ask
never       external-sandbox    skip  skip    skip    skip
on-request  external-sandbox    skip  skip    skip    ask
on-change   external-sandbox    skip  skip    skip    ask
on-failure  external-sandbox    skip  skip    skip    ask
untrusted   external-sandbox    ask   ask     ask     ask
never       workspace-write     skip  refuse  refuse  skip
on-request  workspace-write     skip  ask     ask     ask
on-change   workspace-write     skip  ask     ask     ask
on-failure  workspace-write     skip  ask     ask     ask
untrusted   workspace-write     ask   ask     ask     ask
never       read-only           skip  refuse  refuse  skip
on-request  read-only           skip  ask     ask     ask
on-change   read-only           skip  ask     ask     ask
on-failure  read-only           skip  ask     ask     ask
untrusted   read-only           ask   ask     ask     ask
END

# A patch that also wants to leave the sandbox is the stricter of the two.
stage sbx-approve < <(doc "${want[patch]} | ${want[escalate]} | .policy.approval_policy = \"never\"")
is "a patch outside the sandbox is refused under never" "$status" 1
stage sbx-approve < <(doc "${want[patch]} | ${want[escalate]} |
	.policy.sandbox_policy.type = \"danger-full-access\"")
is "a patch that escalates is asked for like a patch" "$status" 1

# An answer from before does not outlive a new question.
stage sbx-approve < <(doc "$approved | .approval.grant = {sandbox: \"none\"} | ${want[escalate]}")
is "an approval that was there already is not believed" \
	"$status $(field '"\(.approval.decision) \(.approval.grant)"')" "1 denied null"

finish
