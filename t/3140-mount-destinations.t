#!/bin/bash
# Hostile links wherever something is mounted lead to nothing outside, and
# nothing is made on the host through them.
. "${0%/*}/lib/lib.sh"
in_tmp

echo good >"$outside/victim"
fresh() {
	rm -rf "$ws"
	mkdir "$ws"
}
try_all() {
	local what=$1 before
	before=$(state "$outside")
	boxed sh -c 'for n in .git .codex .agents; do
		[ -p $n ] || echo evil >$n; echo evil >$n/x; mkdir -p $n/y; done; true'
	is "$what: nothing changes outside" "$(state "$outside")" "$before"
	boxed true
	is "$what: and it starts" "$status" 0
}
for name in .git .codex .agents; do
	fresh
	ln -s "$outside" "$ws/$name"
	try_all "$name is a link to a directory"
	fresh
	ln -s "$outside/victim" "$ws/$name"
	try_all "$name is a link to a file"
	fresh
	ln -s "$outside/missing" "$ws/$name"
	try_all "$name is a dangling link"
	ok "$name: what it named is not made" absent "$outside/missing"
	fresh
	ln -s "$name" "$ws/$name"
	try_all "$name is a loop"
	fresh
	ln -s /oldroot/var/tmp "$ws/$name"
	try_all "$name leads to /oldroot"
	fresh
	# A link into /proc may mean another place at every look at it.
	ln -s /proc/self/fd/3 "$ws/$name"
	boxed true
	like "$name leads to a descriptor: refused in words" "$status $err" '^125 .*/proc'
	fresh
	ln -s / "$ws/$name"
	try_all "$name leads to /"
	fresh
	ln -s ../../../../../../../../etc "$ws/$name"
	try_all "$name climbs"
	fresh
	mkfifo "$ws/$name"
	try_all "$name is a fifo"
done

# Links in the way to a nested repository and to a gitdir.
fresh
mkdir -p "$ws/a"
ln -s "$outside" "$ws/a/b"
mkdir -p "$outside/.git/hooks"
try_all "a nested repository behind a link"
rm -rf "$outside/.git"
fresh
ln -s "$outside" "$ws/store"
echo "gitdir: store/dir" >"$ws/.git"
mkdir "$outside/dir"
try_all "a gitdir behind a link"

# Roots that are links, or go through one.
fresh
mkdir "$scratch/real"
ln -s real "$scratch/alias"
set_box --add-dir "$scratch/alias"
boxed "$TRY" open "$scratch/real/x"
is "control: an added directory that is a link of the user's works" "$out" "open ok"
fresh
ln -s "$outside" "$ws/root"
set_box
run_sbx -s workspace-write -a never -C "$ws/root" -- true
note "a workspace that is a link: status $status"
finish
