#!/bin/bash
# Threads rewrite the path while it is judged, swap directories for links and
# move parents: nothing protected changes.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/container.sh"
need LANDLOCK 3
need NOTIFY

tree() {
	remove "$ws"
	mkdir -p "$ws/.git" "$ws/one/two" "$ws/own"
	for i in 0 1 2 3; do echo good >"$ws/.git/f$i"; done
	ln -s "$ws/.git" "$ws/link"
}
tree
before=$(state "$ws/.git")
# shellcheck disable=SC2119
set_docker_box
boxed timeout -s KILL 300 "$HELPER/swap" "$ws" "$(long 4000 100000)"
is "it ran" "$status" 0
like "calls went through where they may" "$out" '^[1-9][0-9]* of [0-9]+ went through$'
is "nothing protected changed" "$(state "$ws/.git")" "$before"
note "$out"
tree
unboxed timeout -s KILL 300 "$HELPER/swap" "$ws" 3000
isnt "control: without a sandbox it does" "$(state "$ws/.git")" "$before"
finish
