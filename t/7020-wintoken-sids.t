#!/bin/bash
# Capability SIDs: random, made once, kept for the user alone, and never taken
# from a file that somebody else could have written.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/wintoken.sh"
anyone

sids() { plan < <(windows "$(entries "$@")") && field '[.capability_sids[].sid] | join(" ")'; }
pattern='^S-1-5-21-[0-9]+-[0-9]+-[0-9]+-[0-9]+$'

first=$(sids 'C:\ws' write)
like "a SID of four random numbers" "$first" "$pattern"
is "the same in the next run" "$(sids 'C:\ws' write)" "$first"
is "... and in other letters" "$(sids 'c:/WS/' write)" "$first"
other=$(sids 'C:\ws' write 'D:\x' write)
is "another root has its own" "$(wc -w <<<"$other") ${other% *}" "2 $first"
isnt "... that differs" "${other#* }" "$first"
readonly_sid=$(sids)
like "nothing writable has its own" "$readonly_sid" "$pattern"
isnt "... that no root has" "$readonly_sid" "$first"
is "the file is the user's alone" "$(stat -c %a "$CODEX_HOME/cap_sid")" 600
is "... and so is the folder" "$(stat -c %a "$CODEX_HOME")" 700
mv "$CODEX_HOME" "$scratch/old"
isnt "another home has others" "$(sids 'C:\ws' write)" "$first"

# Many at the same time: one SID each, and none lost.
rm -rf "$CODEX_HOME"
for i in $(seq 20); do
	windows "$(entries 'C:\ws' write "D:\\root$((i % 5))" write)" >"$scratch/doc.$i"
done
for i in $(seq 20); do
	"$SBX/sbx-wintoken" --plan <"$scratch/doc.$i" >"$scratch/plan.$i" 2>&1 &
done
wait
is "twenty at once agree" "$(cat "$scratch"/plan.* | jq -r '.capability_sids[] | "\(.path) \(.sid)"' | sort -u | wc -l)" 6
is "... with what is kept" "$(jq '[.. | strings] | unique | length' "$CODEX_HOME/cap_sid")" 6

bad() { # WHAT STATUS PATTERN
	plan < <(windows)
	is "$1: refused" "$status $out" "$2 "
	like "... said" "$err" "^sbx-wintoken: $3"
}
kept() { printf '%s' "$1" >"$CODEX_HOME/cap_sid" && chmod 600 "$CODEX_HOME/cap_sid"; }
kept nonsense
bad "a file that is no object" 3 'cap_sid: not an object'
kept '{"workspace_by_cwd":{"c:/ws":"S-1-1-0"}}'
bad "Everyone as a capability" 3 'cap_sid: "c:/ws": not a SID of its own'
kept '{"workspace_by_cwd":{"c:/ws":"S-1-5-32-544"}}'
bad "administrators as a capability" 3 'cap_sid: "c:/ws"'
kept '{"workspace_by_cwd":{"c:/ws":7}}'
bad "a number" 3 'cap_sid: "c:/ws"'
kept '{"workspace_by_cwd":{"c:/ws":"S-1-5-21-1-2-3-4","c:/other":"S-1-5-21-1-2-3-4"}}'
bad "one SID for two directories" 3 'cap_sid: "c:/ws"'
kept '{"readonly":"S-1-5-21-1-2-3-4","workspace_by_cwd":{"c:/ws":"S-1-5-21-1-2-3-4"}}'
bad "... or for a directory and none" 3 'cap_sid: "c:/ws"'
kept '{"workspace_by_cwd":{"c:/ws":"S-1-5-21-1-2-3-4"},"unknown":{"a":1}}'
is "control: a good one is used" "$(sids 'C:\ws' write)" S-1-5-21-1-2-3-4
sids 'E:\new' write >/dev/null
is "what nobody knows is kept" "$(jq -c .unknown "$CODEX_HOME/cap_sid")" '{"a":1}'

chmod 666 "$CODEX_HOME/cap_sid"
bad "a file that others can write" 3 'cap_sid: must be yours'
chmod 600 "$CODEX_HOME/cap_sid"
chmod 777 "$CODEX_HOME"
bad "a folder that others can write" 3 '.*must be yours'
chmod 700 "$CODEX_HOME"
mv "$CODEX_HOME/cap_sid" "$scratch/elsewhere"
ln -s "$scratch/elsewhere" "$CODEX_HOME/cap_sid"
bad "a link" 5 'cap_sid: '
rm "$CODEX_HOME/cap_sid"
mkfifo "$CODEX_HOME/cap_sid"
bad "a pipe" 3 'cap_sid: must be yours'
rm "$CODEX_HOME/cap_sid"

unset CODEX_HOME
HOME=$scratch/user
mkdir "$HOME"
plan < <(windows)
is "without CODEX_HOME it is ~/.codex" "$status $(find "$HOME/.codex" -name cap_sid)" "0 $HOME/.codex/cap_sid"
CODEX_HOME=relative run "$SBX/sbx-wintoken" --plan < <(windows)
is "a relative home is refused" "$status" 3
finish
