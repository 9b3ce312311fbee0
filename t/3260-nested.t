#!/bin/bash
# A sandbox in a sandbox works, and the inner one is no weaker than asked.
. "${0%/*}/lib.sh"

mkdir -p "$ws/inner/.git" "$ws/other"
nested=("$SBX/sbx-run" -s workspace-write -a never -C "$ws/inner" --)
boxed "${nested[@]}" echo works
is "a command runs" "$out" works
boxed "${nested[@]}" sh -c 'exit 7'
is "its exit code comes back" "$status" 7
probe() { # DESCRIPTION PATH: written by the outer one, not by the inner one
	boxed touch "$2"
	ok "control: $1: the outer sandbox can" test -e "$2"
	rm -f "$2"
	boxed "${nested[@]}" touch "$2"
	ok "$1: the inner sandbox cannot" absent "$2"
	rm -f "$2"
}
boxed "${nested[@]}" touch "$ws/inner/made"
ok "the inner workspace is writable" test -e "$ws/inner/made"
probe "a directory beside the inner workspace" "$ws/other/made"
boxed "${nested[@]}" touch "$ws/inner/.git/made"
ok ".git of the inner workspace is not writable" absent "$ws/inner/.git/made"
boxed "${nested[@]}" touch "$outside/made"
ok "outside neither" absent "$outside/made"
boxed "${nested[@]}" "$TRY" socket inet stream
like "no network in the inner one" "$out" '^socket E'
boxed "$SBX/sbx-run" -s read-only -a never -C "$ws" -- touch "$ws/made"
ok "a read-only sandbox in a writable one is read-only" absent "$ws/made"
boxed "$SBX/sbx-run" -s workspace-write -a never --network on -C "$ws/inner" -- "$TRY" socket inet stream
unlike "an inner sandbox cannot give back the network" "$out" 'socket ok'
boxed "$SBX/sbx-run" -s workspace-write -a never --add-dir "$outside" -C "$ws/inner" -- touch "$outside/made"
ok "nor a directory" absent "$outside/made"
boxed "$SBX/sbx-run" -s danger-full-access -a never -C "$ws/inner" -- touch "$outside/made"
ok "nor can no sandbox at all" absent "$outside/made"
boxed "${nested[@]}" "${nested[@]}" echo deeper
is "a third level runs" "$out" deeper
finish
