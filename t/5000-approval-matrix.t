#!/bin/bash
# The whole matrix: policy, mode, want and class of command.  What runs unasked,
# what is asked, what is refused.  The columns are those of the table in tree.c.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
export HOME=$scratch/home
mkdir "$HOME"

declare -A command=(
	[safe]='.command.argv = ["ls", "-l"]'
	[unknown]='.command.argv = ["make", "test"]'
	[dangerous]='.command.argv = ["rm", "-rf", "x"]'
	[patch]='.command.tool = "patch" | .command.files = [$ws + "/a"]'
)
declare -A want=([run]=. [escalate]='.command.escalate = true' [forbid]='.command.preference = "forbid"'
	[retry]='.result = {denied: true, denials: []}'
	[bare]='.sandbox = {type: "none", backend: null, reason: "r", capabilities: {}, lost: [{guarantee: "sandbox", why: "w", cure: "c"}]}')

# check POLICY MODE WANT CLASS EXPECTED: skip, safe (skip by safe-command), ask, refuse
check() {
	local got
	stage sbx-approve < <(doc "${command[$4]} | ${want[$3]} | .policy.approval_policy = \"$1\" |
		.policy.sandbox_policy.type = \"$2\"")
	case "$status $(field '"\(.approval.decision) \(.approval.by) \(.approval.required) \(.error)"')" in
	"0 skip policy false null") got=skip ;;
	"0 skip safe-command false null") got=safe ;;
	"1 denied none true null") got=ask ;;
	"1 denied policy true null") got=refuse ;;
	*) got="$status $out" ;;
	esac
	is "$1, $2, $3, $4" "$got" "$5"
	[ "$4" = patch ] || is "... its class" "$(field .approval.command_class)" "$4"
	if [ "$4" = dangerous ]; then is "... its risk" "$(field .approval.risk.level)" high; fi
}
while read -r policy mode safe unknown dangerous outside outside_dangerous patch; do
	check "$policy" "$mode" run safe "$safe"
	check "$policy" "$mode" run unknown "$unknown"
	check "$policy" "$mode" run dangerous "$dangerous"
	for kind in escalate forbid retry bare; do
		check "$policy" "$mode" $kind safe "$outside"
		check "$policy" "$mode" $kind unknown "$outside"
		check "$policy" "$mode" $kind dangerous "$outside_dangerous"
	done
	check "$policy" "$mode" run patch "$patch"
done <<'END'
never       danger-full-access  skip  skip  skip  skip    skip    skip
on-request  danger-full-access  skip  skip  ask   skip    ask     ask
on-failure  danger-full-access  skip  skip  ask   skip    ask     ask
untrusted   danger-full-access  safe  ask   ask   ask     ask     ask
never       external-sandbox    skip  skip  skip  skip    skip    skip
on-request  external-sandbox    skip  skip  ask   skip    ask     ask
on-failure  external-sandbox    skip  skip  ask   skip    ask     ask
untrusted   external-sandbox    safe  ask   ask   ask     ask     ask
never       workspace-write     skip  skip  skip  refuse  refuse  skip
on-request  workspace-write     skip  skip  ask   ask     ask     ask
on-failure  workspace-write     skip  skip  ask   ask     ask     ask
untrusted   workspace-write     safe  ask   ask   ask     ask     ask
never       read-only           skip  skip  skip  refuse  refuse  skip
on-request  read-only           skip  skip  ask   ask     ask     ask
on-failure  read-only           skip  skip  ask   ask     ask     ask
untrusted   read-only           safe  ask   ask   ask     ask     ask
END
finish
