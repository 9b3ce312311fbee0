#!/bin/bash
# What was not approved is not selected for, not wrapped and not run, also
# when nobody looks at an exit status.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"

set_decision() { printf '%s | .approval.decision = %s' "$selected" "$1"; }

for decision in '"denied"' '"abort"' '"Approved"' '"skip "' '""' null true; do
	for name in sbx-select sbx-wrap; do
		stage "$name" < <(doc "$(set_decision "$decision")")
		is "$name refuses decision $decision" \
			"$status $(field '"\(.error.code) \(.error.exit) \(.error.stage) \(.exec)"')" \
			"1 not-approved 1 $name null"
		like "... and says so" "$err" "^$name: not approved: "
	done
done
for decision in '"skip"' '"approved"' '"approved_for_session"'; do
	for name in sbx-select sbx-wrap; do
		stage "$name" < <(doc "$(set_decision "$decision")")
		is "control: $name accepts $decision" "$status $(field .error)" "0 null"
	done
done

stage sbx-wrap < <(doc "$selected | del(.approval)")
is "sbx-wrap refuses a document that nobody approved" \
	"$status $(field '"\(.error.exit) \(.exec)"')" "3 3 null"
stage sbx-wrap < <(doc "$selected | .approval = \"skip\"")
is "sbx-wrap refuses an approval that is no object" "$status" 3
stage sbx-wrap < <(doc "$selected | .exec = {argv: [\"/bin/true\"]} | del(.approval)")
is "a plan that was there already is gone" "$(field .exec)" null
stage sbx-select < <(doc "$approved | .sandbox = {type: \"none\"} | .approval.decision = \"denied\"")
is "a selection that was there already is gone" "$(field .sandbox)" null

# The whole pipe, without pipefail, and the effect from outside.
mark=$outside/mark
through() {
	doc "$1" | "$SBX/sbx-approve" 2>/dev/null | "$SBX/sbx-select" 2>/dev/null |
		"$SBX/sbx-wrap" 2>/dev/null | "$SBX/sbx-run" --exec >/dev/null 2>&1
}
touching=".command.argv = [\"touch\", \"$mark\"] |
	.policy.sandbox_policy.type = \"danger-full-access\""
through "$touching | .policy.approval_policy = \"never\""
is "control: the approved pipe has its effect" "$? $(exists "$mark" && echo there)" "0 there"
rm -f "$mark"
through "$touching | .command.tool = \"patch\" | .command.files = [\"$mark\"]"
isnt "the denied pipe ends with an error" "$?" 0
ok "and runs nothing" absent "$mark"

finish
