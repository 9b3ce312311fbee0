#!/bin/bash
# Where unshare() is refused whatever it is asked for, as in a container of
# Docker's kind, a command that changes nothing still runs, and is held.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/container.sh"
need LANDLOCK 3
need X86_64

run "${docker[@]}" unshare -U true
isnt "control: there are no user namespaces there" "$status" 0
box=("${docker[@]}" "$SBX/sbx-run" -s read-only -a never -C "$ws" --)
boxed sh -c 'echo ran; echo x >made'
is "it runs" "$out" ran
ok "... and changes nothing" absent "$ws/made"
denied "writing outside" "$outside" -- sh -c "echo x >'$outside/made'"
finish
