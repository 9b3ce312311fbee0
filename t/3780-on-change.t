#!/bin/bash
# approval_policy on-change: the command runs in a preview, and somebody is asked once, about
# what it changed.
. "${0%/*}/lib/lib.sh"
need USERNS
need OVERLAY
export HOME=$scratch/home CODEX_HOME=$scratch/codex
mkdir "$HOME" "$CODEX_HOME"
# An approver that answers the word, and keeps what it was asked.
for word in approved denied abort; do
	printf '#!/bin/sh\ncat >>%q\necho "{\\"decision\\":\\"%s\\"}"\n' "$scratch/asked" "$word" >"$scratch/$word"
	chmod +x "$scratch/$word"
done
echo old >"$ws/f"
on() { # WORD COMMAND...
	local word=$1
	shift
	rm -f "$scratch/asked"
	run "$SBX/sbx-run" -s workspace-write -a on-change --json --approver "$scratch/$word" -C "$ws" -- "$@"
}
changes() { "$SBX/sbx-run" --changes; }

on approved sh -c 'cat f; echo new >>f; exit 3'
is "yes: the changes are made, and the status is the command's" "$status $(cat "$ws/f")" "3 old
new"
is "... it was asked once" "$(grep -c . "$scratch/asked")" 1
is "... with what has changed" "$(jq -r '.changes[0].kind' "$scratch/asked") $(jq -r '.changes[0].path' "$scratch/asked")" "changed $ws/f"
like "... as a diff" "$(jq -r .diff "$scratch/asked")" '^\+new$'
is "... and what may be answered" "$(jq -c .options "$scratch/asked")" '["approved","denied","abort"]'
is "... the document says it" "$(jq -r .result.changes.state <<<"$out") $(jq -r .result.exit_code <<<"$out")" "applied 3"
is "nothing is kept" "$(changes)" ""

on denied sh -c 'echo more >>f; echo g >g'
is "no: they are forgotten" "$status $(jq -r .result.changes.state <<<"$out") $(tail -n 1 "$ws/f")$(changes)" "126 discarded new"
like "... which is said" "$err" "^sbx-run: not applied: the changes were refused, and are forgotten$"
ok "... all of them" absent "$ws/g"
for broken in 'exit 3' 'echo nonsense' 'echo "{\"decision\":\"perhaps\"}"'; do
	run "$SBX/sbx-run" -s workspace-write -a on-change --approver "$broken" -C "$ws" -- sh -c 'echo more >>f'
	is "$broken: nobody said no, so they are kept" "$status $(tail -n 1 "$ws/f") $(changes | wc -l)" "126 new 1"
	"$SBX/sbx-run" --discard "$(changes | cut -d ' ' -f 1)"
done
on abort sh -c 'echo more >>f'
is "neither: they are kept" "$status $(jq -r .result.changes.state <<<"$out") $(tail -n 1 "$ws/f")" "126 kept new"
"$SBX/sbx-run" --discard "$(changes | cut -d ' ' -f 1)"

run "$SBX/sbx-run" -s workspace-write -a on-change -C "$ws" -- sh -c 'echo more >>f'
is "nobody to ask: kept, and not made" "$status $(tail -n 1 "$ws/f")" "126 new"
like "... one line says where" "$err" "^sbx-run: not applied: nobody .* kept as $(changes | cut -d ' ' -f 1): sbx-run --apply"
is "... and only one" "$(wc -l <<<"$err")" 1
"$SBX/sbx-run" --discard "$(changes | cut -d ' ' -f 1)"
on denied cat f
is "nothing changed: nobody is asked" "$status $(absent "$scratch/asked" && echo unasked)" "0 unasked"

# From the configuration, the environment, and what is narrower.
echo 'approval_policy = "on-change"' >"$CODEX_HOME/config.toml"
run "$SBX/sbx-policy" -C "$ws" -- true
is "the configuration says it" "$(jq -r .policy.approval_policy <<<"$out") $(jq -r .policy.preview <<<"$out")" "on-change true"
run env SBX_APPROVAL=on-request "$SBX/sbx-policy" -C "$ws" -- true
is "the environment does not widen it" "$(jq -r .policy.approval_policy <<<"$out")" on-change
echo 'approval_policy = "on-request"' >"$CODEX_HOME/config.toml"
run env SBX_APPROVAL=on-change "$SBX/sbx-policy" -C "$ws" -- true
is "... and narrows to it" "$(jq -r .policy.approval_policy <<<"$out")" on-change
run "$SBX/sbx-policy" -s danger-full-access -a on-change -C "$ws" -- true
like "full access has nothing to preview" "$status $err" "^2 .*on-change"
finish
