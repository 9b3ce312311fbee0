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

declare -A meaning=([skip]="skip policy false" [safe]="skip safe-command false"
	[ask]="denied none true" [refuse]="denied policy true")
declare -A code=([skip]=0 [safe]=0 [ask]=1 [refuse]=1)

# The decision, by whom, whether it is required, whether there is an error, the class
# and whether the risk is high; the class and the risk of a patch are not of interest.
answer='.approval as $a | "\($a.decision) \($a.by) \($a.required) \(.error)" +
	if .command.tool == "patch" then "" else " \($a.command_class)" +
	if $a.command_class == "dangerous" then " \($a.risk.level)" else "" end end'

# check POLICY MODE WANT CLASS EXPECTED: skip, safe (skip by safe-command), ask, refuse
declare -A sample
check() {
	local class=" $4" filter="${command[$4]} | ${want[$3]} | .policy.approval_policy = \"$1\" | .policy.sandbox_policy.type = \"$2\""
	case $4 in
	patch) class= ;;
	dangerous) class=" dangerous high" ;;
	esac
	claim "$1, $2, $3, $4" "${meaning[$5]} null$class" "$filter"
	sample[$5]=$filter
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
on-change   danger-full-access  skip  skip  ask   skip    ask     ask
on-failure  danger-full-access  skip  skip  ask   skip    ask     ask
untrusted   danger-full-access  safe  ask   ask   ask     ask     ask
never       external-sandbox    skip  skip  skip  skip    skip    skip
on-request  external-sandbox    skip  skip  ask   skip    ask     ask
on-change   external-sandbox    skip  skip  ask   skip    ask     ask
on-failure  external-sandbox    skip  skip  ask   skip    ask     ask
untrusted   external-sandbox    safe  ask   ask   ask     ask     ask
never       workspace-write     skip  skip  skip  refuse  refuse  skip
on-request  workspace-write     skip  skip  ask   ask     ask     ask
on-change   workspace-write     skip  skip  ask   ask     ask     ask
on-failure  workspace-write     skip  skip  ask   ask     ask     ask
untrusted   workspace-write     safe  ask   ask   ask     ask     ask
never       read-only           skip  skip  skip  refuse  refuse  skip
on-request  read-only           skip  skip  ask   ask     ask     ask
on-change   read-only           skip  skip  ask   ask     ask     ask
on-failure  read-only           skip  skip  ask   ask     ask     ask
untrusted   read-only           safe  ask   ask   ask     ask     ask
END
judge "$answer" sbx-approve
for outcome in "${!sample[@]}"; do
	stage sbx-approve < <(doc "${sample[$outcome]}")
	is "the status of $outcome" "$status" "${code[$outcome]}"
done
is "each outcome was there" "${#sample[@]}" 4
finish
