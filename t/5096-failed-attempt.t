#!/bin/bash
# What a failed attempt printed: it is in the question, cleaned, and its words are
# a sign of a denial where none is observed.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/approver.sh"
need USERNS
answer '{"decision":"denied"}'
guess() { run "$SBX/sbx-run" -s workspace-write -C "$ws" -c sbx.observe=off --json "$@"; }
for words in EACCES "Operation not permitted" "Permission denied" "Read-only file system" "sandbox-exec: denied" landlock; do
	guess -a never -- sh -c "echo 'it says $words' >&2; exit 1"
	is "$words: a denial, by its words" "$(jq -c '[.result.denied, .result.evidence]' "$scratch/.out")" '[true,"heuristic"]'
done
guess -a never -- sh -c 'echo no such luck >&2; exit 1'
is "control: other words are none" "$(jq -c .result.denied "$scratch/.out")" false
guess -a on-request --approver "$scratch/approver" -- sh -c 'printf "first\n\033[31mPermission denied\n" >&2; exit 1'
is "the question has what was printed, cleaned" "$(tail -n 1 "$scratch/asked" | jq -r .stderr)" $'first\n\\x1b[31mPermission denied'
guess -a on-request --approver "$scratch/approver" -- sh -c 'yes filler | head -n 3000 >&2; echo "Permission denied" >&2; exit 1'
said=$(tail -n 1 "$scratch/asked" | jq -r .stderr)
ok "no more than its end" [ "${#said}" -le 4200 ]
like "which is what matters" "$said" 'Permission denied$'

# Every question is in the document and in the audit, also those that were refused.
asked_of() { jq -c '[.result.questions[]? | [.decision, .by]]' "$scratch/.out"; }
run "$SBX/sbx-run" -s workspace-write -a on-request -C "$ws" --approver "$scratch/approver" --audit "$scratch/audit" --json -- sh -c 'echo x >"$0"' "$outside/x"
is "a refused retry" "$(asked_of)" '[["denied","approver"]]'
is "... in the audit too" "$(jq -c '[.counters.questions, (.result.questions | length)]' "$scratch/audit")" "[1,1]"
run "$SBX/sbx-run" -s workspace-write -a on-request -C "$ws" --escalate --approver "$scratch/approver" --json -- true
is "a refused first one" "$status $(asked_of)" '126 [["denied","approver"]]'
answer '{"decision":"approved"}'
run "$SBX/sbx-run" -s workspace-write -a untrusted -C "$ws" --approver "$scratch/approver" --json -- sh -c 'echo x >"$0"' "$outside/x"
is "two of them" "$(asked_of)" '[["approved","approver"],["approved","approver"]]'
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --json -- true
is "control: none" "$(jq -c .result.questions "$scratch/.out")" null
finish
