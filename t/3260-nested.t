#!/bin/bash
# A sandbox in a sandbox works: what the outer one guarantees is counted, the
# rest is added, and what neither can give is refused in words.
. "${0%/*}/lib.sh"

mkdir -p "$ws/inner/.git" "$ws/other"
nested=("$SBX/sbx-run" -s workspace-write -a never -C "$ws" --)
boxed "${nested[@]}" echo works
is "in the same workspace a command runs" "$out" works
boxed "${nested[@]}" sh -c 'exit 7'
is "its exit code comes back" "$status" 7
boxed "${nested[@]}" touch "$ws/made"
ok "the workspace is writable" test -e "$ws/made"
rm -f "$ws/made"
for name in .git .codex inner/.git/x; do
	boxed "${nested[@]}" touch "$ws/$name"
	ok "$name is not writable" absent "$ws/$name"
done
boxed "${nested[@]}" touch "$outside/made"
ok "outside neither" absent "$outside/made"
boxed "${nested[@]}" "$TRY" socket inet stream
like "no network in the inner one" "$out" '^socket E'
boxed "${nested[@]}" "${nested[@]}" echo deeper
is "a third level runs" "$out" deeper

# What the inner one asks for beyond the outer one, it does not get.
boxed "$SBX/sbx-run" -s workspace-write -a never --network on -C "$ws" -- "$TRY" socket inet stream
unlike "an inner sandbox cannot give back the network" "$out" 'socket ok'
boxed "$SBX/sbx-run" -s workspace-write -a never --add-dir "$outside" -C "$ws" -- touch "$outside/made"
ok "nor a directory" absent "$outside/made"
boxed "$SBX/sbx-run" -s danger-full-access -a never -C "$ws" -- touch "$outside/made"
ok "nor can no sandbox at all" absent "$outside/made"

# A stricter one in a wider one.
boxed "$SBX/sbx-run" -s read-only -a never -C "$ws" -- sh -c 'echo works; touch made'
is "a read-only sandbox in a writable one runs" "$out" works
ok "and is read-only" absent "$ws/made"

# probe DESCRIPTION: the inner workspace is a part of the outer one
narrow=("$SBX/sbx-run" -s workspace-write -a never -C "$ws/inner" --)
probe() {
	boxed touch "$ws/other/made"
	ok "control: $1: the outer sandbox writes beside it" test -e "$ws/other/made"
	rm -f "$ws/other/made"
	boxed "${narrow[@]}" sh -c 'echo works; touch made ../other/made .git/made'
	ok "$1: beside it is not writable" absent "$ws/other/made"
	ok "$1: its .git is not writable" absent "$ws/inner/.git/made"
}
probe "a narrower workspace"
if [ "$status" = 125 ]; then
	like "a narrower workspace: what is missing is said, with the cure" "$err" 'nested'
	unlike "and nothing runs" "$out" works
else
	is "a narrower workspace: runs" "$out" works
fi
rm -f "$ws/inner/made"
set_box -c sbx.nested=true
probe "a narrower workspace with sbx.nested"
if [ "$(id -u)" = 0 ]; then
	# The kernel wants CAP_SETFCAP to map uid 0 once more, and no capability
	# is left: refused, with a line, and nothing has run.
	is "a narrower workspace with sbx.nested: root cannot map itself twice" "$status" 125
	ok "and nothing ran" test ! -e "$ws/inner/made"
else
	is "a narrower workspace with sbx.nested: runs" "$out" works
	ok "and is writable" test -e "$ws/inner/made"
fi
finish
