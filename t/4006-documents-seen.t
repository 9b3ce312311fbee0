#!/bin/bash
# JSON and TOML that a person may read on a terminal have nothing that a terminal obeys
# or that hides or reorders text (C1 controls, other directions, lines of their own, no
# width), and mean the same bytes all the same.
. "${0%/*}/lib/lib.sh"
need USERNS
export HOME=$scratch/home CODEX_HOME=$scratch/codex
mkdir -p "$HOME" "$CODEX_HOME"
evil=$'a\e[2J\u009b31m\u202e\u2028\u200b\ue000\U000e0041b'
deceptive=$'\u009b|\u202e|\u2028|\u200b|\ue000|\U000e0041'
cd "$ws" || exit 1

# seen WHAT FILE: nothing of it stands there as it is
seen() {
	ran="seen $1"
	ok "$1: it was written" test -s "$2"
	is "$1: characters that deceive" "$(LC_ALL=C.UTF-8 grep -cE "$deceptive" "$2")" 0
}

printf '%s\n' "$evil" >"$scratch/raw"
is "control: the name has them" "$(LC_ALL=C.UTF-8 grep -cE "$deceptive" "$scratch/raw")" 1

"$SBX/sbx-policy" --auto --check-path write "$evil" >"$scratch/verdict"
seen "--check-path" "$scratch/verdict"
is "... means the name" "$(jq -r .path "$scratch/verdict")" "$evil"
"$SBX/sbx-run" --auto --dry-run -- echo "$evil" >"$scratch/dry"
seen "a document" "$scratch/dry"
is "... means the name" "$(jq -r '.command.argv[1]' "$scratch/dry")" "$evil"
"$SBX/sbx-run" --exec <"$scratch/dry" >"$scratch/echoed"
is "... and runs with it" "$(cat "$scratch/echoed")" "$evil"
jq -cn --arg t "$evil" --arg cwd "$ws" '{sbx: 1, command: {argv: ["true", $t], cwd: $cwd}, other: $t}' |
	"$SBX/sbx-policy" --auto | "$SBX/sbx-approve" | "$SBX/sbx-select" | "$SBX/sbx-wrap" >"$scratch/passed"
seen "what was given raw, after four stages" "$scratch/passed"
is "... means the same" "$(jq -r .other "$scratch/passed")" "$evil"
"$SBX/sbx-run" --auto --audit "$scratch/audit" -- true "$evil"
seen "--audit" "$scratch/audit"
"$SBX/sbx-run" --auto --json -- sh -c 'echo "$1"; mkdir "$2/$1"' - "$evil" "$HOME" >"$scratch/result"
seen "--json" "$scratch/result"
is "... has what was printed" "$(jq -r '.result.stdout' "$scratch/result")" "$evil"
"$SBX/sbx-run" --auto --learn-file "$scratch/learned" -- mkdir "$HOME/$evil" 2>/dev/null
seen "--learn" "$scratch/learned"
like "... says how to make it before, as a shell reads it" "$(cat "$scratch/learned")" "mkdir -p [$]'[^ ]*a.x1b"
"$SBX/sbx-run" --auto --learn-file "$scratch/words" -- mkdir "$HOME/a; b" 2>/dev/null
like "... also where it has a semicolon" "$(cat "$scratch/words")" "mkdir -p '[^']*a; b'"
finish
