#!/bin/bash
# A TMPDIR widens nothing: one that is not a private or sticky directory of
# the caller, leads through the workspace, or is above a root, grants nothing.
. "${0%/*}/lib/lib.sh"
in_tmp

probe=$outside/probe
with() {
	local value=$1
	shift
	run env TMPDIR="$value" "${box[@]}" "$@"
}
private=$scratch/private
mkdir -m 700 "$private"
with "$private" touch "$private/x"
ok "control: a private directory of the caller is writable" test -e "$private/x"

grants_nothing() {
	with "$1" touch "$2"
	ok "$3: no write" absent "$2"
	rm -f "$2"
}
grants_nothing / "$probe" "TMPDIR=/"
grants_nothing /var "$probe" "TMPDIR=/var"
grants_nothing // "$probe" "TMPDIR=//"
grants_nothing /.. "$probe" "TMPDIR=/.."
with / true
like "TMPDIR=/ is said" "$err" 'TMPDIR'
is "and the command runs" "$status" 0
grants_nothing "$scratch" "$probe" "TMPDIR above the workspace"
ln -s "$outside" "$ws/link"
chmod 700 "$outside"
grants_nothing "$ws/link" "$probe" "TMPDIR is a link in the workspace"
with "$ws/link" true
like "which is said" "$err" 'TMPDIR'
ln -s / "$ws/slash"
grants_nothing "$ws/slash/$outside" "$probe" "TMPDIR goes through a link in the workspace"
grants_nothing "$ws/../outside" "$probe" "TMPDIR goes through the workspace"
ln -s "$outside" "$tmp/link"
chmod 777 "$tmp"
shared=$scratch/shared
mkdir -m 777 "$shared"
chmod 777 "$shared"
grants_nothing "$shared" "$shared/x" "TMPDIR that everybody may write, without the sticky bit"
grants_nothing "relative" "$probe" "a relative TMPDIR"
with "$scratch/none" true
is "a missing TMPDIR does not stop the command" "$status" 0
ok "and is not made" absent "$scratch/none"
with "" true
is "an empty TMPDIR does not stop the command" "$status" 0
with "$probe"$'\n/' true
is "a TMPDIR with a newline does not stop the command" "$status" 0
finish
