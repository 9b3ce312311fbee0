#!/bin/bash
# What is enforced is worked out once, by sbx-approve; what was given is looked at again before it is used.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/approver.sh"
given=$scratch/given
mkdir -p "$given/deep/repo/.git"

# approved GRANT: a document as sbx-approve leaves it, after a denial
approved() {
	answer "{\"decision\":\"approved\",\"grant\":$1}"
	"$SBX/sbx-policy" -s workspace-write -a on-request -C "$ws" -- true |
		jq -c '.result = {denied: true, evidence: "observed", denials: []}' |
		"$SBX/sbx-approve" --approver "$scratch/approver" >"$scratch/approved"
}
access() { jq -r --arg p "$2" "$1"'.permissions.fs[] | select(.path == $p) | .access' "$scratch/approved"; }
# wrapped: how the permissions that the helper is told end for a path
wrapped() {
	run sh -c '"$1/sbx-select" <"$2" | "$1/sbx-wrap"' sh "$SBX" "$scratch/approved"
	helper=$(jq -r '.exec.argv | if . then .[index("--policy") + 1] else "" end' <<<"$out")
	[ -z "$helper" ] || helper=$(jq -r --arg p "$1" '[.permissions.fs[] | select(.path == $p) | .access] | join(",")' <<<"$helper")
}

approved "{\"write\":[\"$given\"]}"
is "the permissions that are enforced have the grant" "$(access .approval "$given")" write
is "and what stays closed in it" "$(access .approval "$given/deep/repo/.git") $(access .approval "$given/.codex")" "read read"
is "the policy is as it was" "$(access .policy "$given")" ""
wrapped "$given"
is "the helper is told them" "$helper" write
jq -c --arg p "$given" '(.approval.permissions.fs[] | select(.path == $p)).access = "read"' "$scratch/approved" >"$scratch/other"
mv "$scratch/other" "$scratch/approved"
wrapped "$given"
is "from there, and they are not worked out again" "$helper" read
jq -c 'del(.approval.permissions)' "$scratch/approved" >"$scratch/other"
mv "$scratch/other" "$scratch/approved"
wrapped "$given"
is "an approval made by hand has only the grant: it counts" "$helper" write

approved "{\"write\":[\"$given\"]}"
mv "$given" "$given.away"
ln -s "$outside" "$given"
wrapped "$given"
is "swapped for a link after the approval: nothing to execute" "$status $helper" "3 "
like "and it is said" "$err" "it changed after the approval"
rm "$given"
mv "$given.away" "$given"
wrapped "$given"
is "control: as it was, it is wrapped" "$status $helper" "0 write"

"$SBX/sbx-policy" -s workspace-write -a never -C "$ws" -- true | "$SBX/sbx-approve" >"$scratch/approved"
is "nothing given: nothing but the policy" "$(jq -c '.approval.permissions' "$scratch/approved")" null
finish
