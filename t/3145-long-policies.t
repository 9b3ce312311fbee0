#!/bin/bash
# A policy may be longer than an argument of a command can be: all of it holds.
. "${0%/*}/lib/lib.sh"
need USERNS

export CODEX_HOME=$scratch/codex
mkdir "$CODEX_HOME"
# 400 names of 400 bytes in the workspace are read-only: twice the 128 KB of an argument.
long=$(printf 'x%.0s' {1..200})
{
	echo '[permissions.long.filesystem]'
	echo '":root" = "read"'
	echo '[permissions.long.filesystem.":workspace_roots"]'
	echo '"." = "write"'
	for i in $(seq 400); do
		mkdir -p "$ws/$long/$long$i"
		echo "\"$long/$long$i\" = \"read\""
	done
} >"$CODEX_HOME/config.toml"
run "$SBX/sbx-run" -a never -P long -C "$ws" --dry-run -- true
is "it is wrapped" "$status" 0
document=$scratch/long.json
printf '%s\n' "$out" >"$document"
policy=$scratch/policy.json
jq -r '.exec.argv[2]' "$document" >"$policy"
ok "control: no argument could hold it" [ "$(wc -c <"$policy")" -gt 131072 ]

touches() { # touches NAME...: what a command could make of them
	printf 'for n in %s; do true >"$n" 2>/dev/null && echo "$n"; done; true' "$*"
}
names="$long/${long}1/new $long/${long}400/new open"
run "$SBX/sbx-run" -a never -P long -C "$ws" -- sh -c "$(touches "$names")"
is "what it closes is closed, the last one too, and the rest is open" "$out" open
rm -f "$ws/open"
run "$SBX/sbx-run" --exec < <(jq -c --arg c "$(touches "$names")" '.exec.argv = .exec.argv[:-1] + ["sh", "-c", $c]' "$document")
is "... from a document as well" "$out" open
rm -f "$ws/open"
run "$SBX/sbx-linux-sandbox" --policy-fd 9 --cwd "$ws" -- sh -c "$(touches "$names")" 9<"$policy"
is "... and by the helper alone" "$out" open
run "$SBX/sbx-linux-sandbox" --policy-fd 9 --cwd "$ws" -- ls -l /proc/self/fd 9<"$policy"
unlike "... which leaves no file open" "$out" policy.json
run "$SBX/sbx-linux-sandbox" --policy-fd 9 --cwd "$ws" -- true 9< <(cat "$policy")
is "a pipe is no policy" "$status" 125
run "$SBX/sbx-linux-sandbox" --policy-fd 9 --cwd "$ws" -- true 9</dev/null
is "... nor is a device" "$status" 125
run "$SBX/sbx-linux-sandbox" --policy-fd 99 --cwd "$ws" -- true
like "... nor what is not open" "$err" 'not an open fd'
finish
