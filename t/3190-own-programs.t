#!/bin/bash
# Our own programs cannot be changed from inside, wherever they lie and
# through whatever name.
. "${0%/*}/lib/lib.sh"
in_tmp

# In the workspace, as in a checkout of this project, and in /tmp.
for place in "$ws/build/bin" "$tmp/bin"; do
	mkdir -p "$place"
	cp "$SBX"/sbx-* "$place/"
	box=("$place/sbx-run" -s workspace-write -a never -C "$ws" --)
	boxed true
	is "$place: runs" "$status" 0
	for program in sbx-run sbx-policy sbx-approve sbx-wrap sbx-select sbx-linux-sandbox; do
		file=$place/$program
		denied "$program: replaced" "$file" -- sh -c "cp /bin/true '$file.new' && mv -f '$file.new' '$file'"
		denied "$program: removed" "$file" -- rm -f "$file"
	done
	denied "the directory renamed" "$place" -- sh -c "mv '$place' '$place.away' && mkdir '$place'; rm -rf '$place.away'"
	denied "its parent renamed" "$place" -- sh -c "p='${place%/*}'; cd /; mv \"\$p\" \"\$p.away\" && mkdir -p '$place'; mv \"\$p.away\" \"\$p.x\" && rm -rf \"\$p.x\""
	mkdir -p "$place"
	denied "a file added beside them" "$place" -- touch "$place/sbx-bwrap"
	rm -rf "${place:?}"
done
set_box

# The launcher is not reachable as a process: CVE-2019-5736.
cp -a "$SBX" "$scratch/bin"
box=("$scratch/bin/sbx-run" -s workspace-write -a never -C "$ws" --)
before=$(state "$scratch/bin")
boxed sh -c 'for p in /proc/[0-9]* /proc/self /proc/thread-self; do
	echo evil >"$p/exe"; cat /bin/true >"$p/exe"; (exec 5<>"$p/exe" && echo evil >&5)
	ls -l "$p/exe"; echo x >"$p/mem"; done' 2>/dev/null
is "writing to /proc/*/exe changes nothing" "$(state "$scratch/bin")" "$before"
if have NAMESPACES && have FRESH_PROC; then
	boxed sh -c 'for p in /proc/[0-9]*; do tr "\0" " " <$p/cmdline; echo; done'
	unlike "the launcher is not visible inside" "$out" 'sbx-run -s'
else
	skip "the launcher is not visible inside" "processes outside can be seen here, which is in lost"
fi
boxed sh -c 'for p in /proc/[0-9]*; do ls -l $p/root $p/cwd $p/fd; done 2>/dev/null | grep -c "$1"' - "$outside"
is "no process inside holds anything outside" "$out" 0
boxed sh -c 'echo evil >"$(readlink /proc/1/exe)"'
is "nor is the inner program writable by its path" "$(state "$scratch/bin")" "$before"
finish
