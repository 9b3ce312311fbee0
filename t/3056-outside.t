#!/bin/bash
# Outside the writable roots nothing can be made, changed or replaced, by any
# of the calls that could.
. "${0%/*}/lib/lib.sh"

v=$outside/victim
d=$outside/dir
mkdir "$d"
echo good >"$v"
echo another >"$d/file"
for mode in workspace-write read-only; do
	box=("$SBX/sbx-run" -s "$mode" -a never -C "$ws" --)
	denied "$mode: create" "$outside" -- "$TRY" open "$outside/new"
	denied "$mode: overwrite" "$v" -- "$TRY" open "$v"
	denied "$mode: append" "$v" -- "$TRY" append "$v"
	denied "$mode: truncate" "$v" -- "$TRY" truncate "$v"
	denied "$mode: mmap" "$v" -- "$TRY" mmap "$v"
	denied "$mode: mkdir" "$outside" -- "$TRY" mkdir "$outside/new"
	denied "$mode: unlink" "$outside" -- "$TRY" unlink "$v"
	denied "$mode: rmdir" "$outside" -- sh -c "rm '$d/file' && rmdir '$d'"
	denied "$mode: rename" "$outside" -- "$TRY" rename "$v" "$v.2"
	denied "$mode: exchange" "$outside" -- "$TRY" exchange "$v" "$d/file"
	denied "$mode: link" "$outside" -- "$TRY" link "$v" "$v.2"
	denied "$mode: symlink" "$outside" -- "$TRY" symlink x "$outside/new"
	denied "$mode: fifo" "$outside" -- "$TRY" mknod fifo "$outside/new"
	denied "$mode: socket" "$outside" -- "$TRY" unix-bind stream "$outside/new"
	denied "$mode: chmod" "$outside" -- "$TRY" chmod 777 "$v"
	denied "$mode: fchmod" "$outside" -- "$TRY" fchmod 777 "$v"
	denied "$mode: times" "$outside" -- "$TRY" utimes "$v"
	refused "$mode: setxattr" setxattr "$v"
	refused "$mode: chown" chown "$v"
	if have MOUNTS; then # a container's root makes none
		denied "$mode: device" "$outside" -- "$TRY" mknod char "$outside/new"
	fi
	if have ROOT; then
		refused "$mode: immutable flag" immutable "$v"
		chattr -i "$v" 2>/dev/null
	fi
done
box=("$SBX/sbx-run" -s read-only -a never -C "$ws" --)
denied "read-only: the workspace itself" "$ws" -- "$TRY" open "$ws/new"
denied "read-only: /tmp" "/tmp/sbx-t-$$" -- "$TRY" open "/tmp/sbx-t-$$"
boxed "$TRY" read "$v"
is "reading outside works" "$out" "read ok"
finish
