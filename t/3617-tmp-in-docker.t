#!/bin/bash
# In a container of Docker's kind /tmp is the host's.  What decides about later
# runs, sockets and repositories in it are kept; temporaries are as everywhere.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/container.sh"
need LANDLOCK 3
need NOTIFY
need PROGRAM python3
in_tmp
# shellcheck disable=SC2119
set_docker_box

mkdir -p "$tmp/.git" "$tmp/bin" "$ws/own"
git -c init.defaultBranch=main init -q "$tmp"
denied "a repository there" "$tmp/.git" -- sh -c "echo evil >$tmp/.git/hooks/pre-commit"
denied "... by another name" "$tmp/.git" -- sh -c "mv $tmp $tmp-x; echo evil >$tmp-x/.git/config; mv $tmp-x $tmp"
allowed "control: a file beside it" "$tmp/file" -- sh -c "echo x >$tmp/file"
allowed "control: a new temporary" "$tmp-new" -- sh -c "echo x >$tmp-new"

sockets=$(mktemp -d /tmp/sbx-t.XXXXXX)
tmpdirs+=("$sockets" "$sockets-s")
python3 -c 'import socket, sys
for path in sys.argv[1:]: socket.socket(socket.AF_UNIX).bind(path)' "$sockets/s" "$sockets-s"
denied "a socket" "$sockets-s" -- sh -c "rm -f $sockets-s; echo evil >$sockets-s"
denied "a directory of sockets" "$sockets" -- sh -c "rm -rf $sockets; mkdir $sockets; echo evil >$sockets/s"

programs=$(mktemp -d /tmp/sbx-t.XXXXXX)
tmpdirs+=("$programs")
cp "$BUILD"/bin/sbx-* "$programs/"
box=("${docker[@]}" "$programs/sbx-run" -s workspace-write -a never -C "$ws" --)
denied "our own programs" "$programs/sbx-policy" -- sh -c "cp /bin/true $programs/new; mv -f $programs/new $programs/sbx-policy"
denied "... or one beside them" "$programs/sbx-bwrap" -- sh -c "cp /bin/true $programs/sbx-bwrap"
finish
