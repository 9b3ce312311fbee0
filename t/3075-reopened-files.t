#!/bin/bash
# A file that is given for reading stays as it is: it is not opened once more
# for writing through /proc/self/fd, and keeps its mode, owner, times and
# attributes; with Landlock and without.  So does what is given besides files.
. "${0%/*}/lib/lib.sh"
need X86_64

# shellcheck disable=SC2016
reopen='exec 7<&0 8<&1 9<&2; for n in 7 8 9; do (echo evil >/proc/self/fd/$n) 2>/dev/null; done; exit 0'
fresh() { printf 'one\ntwo\nthree\n' >"$outside/file"; }
# with FD COMMAND...: the file at that number
with() {
	local fd=$1
	shift
	case $fd in
	0) "$@" <"$outside/file" ;;
	1) "$@" 1<"$outside/file" ;;
	2) "$@" 2<"$outside/file" ;;
	*) "$@" 5<"$outside/file" ;;
	esac
}
for fd in 0 1 2; do
	fresh
	run with "$fd" sh -c "$reopen"
	like "control: without a sandbox fd $fd is written" "$(cat "$outside/file")" evil
done

# 444: landlock_create_ruleset
for name in "with Landlock" "without Landlock" "with Landlock, nested"; do
	[ "$name" = "with Landlock" ] || have NAMESPACES || continue
	first=("$SBX/sbx-run" -s workspace-write -a never -C "$ws")
	case $name in
	without*) first=("$TRY" refuse 444 38 "${first[@]}") ;;
	*nested) first=("$SBX/sbx-run" -s read-only -a never -C "$ws" -c sbx.nested=true) ;;
	esac
	box=("${first[@]}" --)
	for fd in 0 1 2; do
		fresh
		run with "$fd" "${box[@]}" sh -c "$reopen"
		is "$name: fd $fd: runs" "$status" 0
		is "$name: fd $fd: the file is as it was" "$(cat "$outside/file")" "$(printf 'one\ntwo\nthree')"
	done
	fresh
	run with 5 "${first[@]}" --keep-fd 5 -- sh -c 'cat <&5; echo evil >/proc/self/fd/5'
	like "$name: one that is asked for is read" "$out" '^one'
	is "$name: ... and not written" "$(cat "$outside/file")" "$(printf 'one\ntwo\nthree')"

	read_on() {
		read -r _
		"${box[@]}" cat
	}
	run read_on <"$outside/file"
	is "$name: reading goes on where it was" "$out" "$(printf 'two\nthree')"
	run "${box[@]}" cat <<<"$(printf 'here\ndocument')"
	is "$name: a here document" "$out" "$(printf 'here\ndocument')"
	echo mine >"$ws/file"
	run "${box[@]}" sh -c 'cat; echo more >>file' <"$ws/file"
	case $name in
	*nested) is "$name: a file of the workspace" "$out $(xargs <"$ws/file")" "mine mine" ;;
	*) is "$name: a file of the workspace" "$status $out $(xargs <"$ws/file")" "0 mine mine more" ;;
	esac
	"${box[@]}" echo said >"$outside/log"
	is "$name: a file for writing is written" "$(cat "$outside/log")" said
done

# ---- mode, owner, times, attributes -------------------------------------------

# On stdin, by number and by name.
cat >"$scratch/change" <<'END'
#!/usr/bin/perl
my $name = "/proc/self/fd/0";
chmod(0646, *STDIN), chmod(0646, $name);
utime(1, 1, *STDIN), utime(1, 1, $name);
chown($>, (split " ", $))[-1], *STDIN);
my $flags = pack("q", 0x40);
ioctl(STDIN, 0x40086602, $flags); # FS_IOC_SETFLAGS: nodump
my ($key, $value) = ("user.sbx", "evil");
syscall(190, 0, $key, $value, 4, 0); # fsetxattr
END
state() {
	stat -c '%a %u %g %Y' "$1"
	lsattr -d "$1" 2>/dev/null | cut -d ' ' -f 1
	python3 -c 'import os, sys; print(os.listxattr(sys.argv[1]))' "$1" 2>/dev/null
}
without_time() { sed '1s/ [0-9]*$//' <<<"$1"; }
chmod +x "$scratch/change"
fresh
before=$(state "$outside/file")
"$scratch/change" <"$outside/file"
like "control: without a sandbox its mode and time are changed" "$(state "$outside/file")" '^646 .* 1$'
like "... and it has an attribute more" "$(state "$outside/file")" 'user\.sbx'
for name in "as usual" "without Landlock" "nested" "with the system's bubblewrap" "read-only"; do
	case $name in as* | read*) ;; *) have NAMESPACES || continue ;; esac
	mode=workspace-write
	case $name in read-only | nested) mode=read-only ;; esac
	box=("$SBX/sbx-run" -s "$mode" -a never -C "$ws")
	case $name in
	without*) box=("$TRY" refuse 444 38 "${box[@]}") ;;
	nested) box+=(-c sbx.nested=true) ;;
	*system*)
		have PROGRAM bwrap || { skip "the bubblewrap of the system" "there is none"; continue; }
		box+=(-c 'sbx.bwrap="system"')
		;;
	esac
	box+=(--)
	rm "$outside/file"
	fresh
	before=$(state "$outside/file")
	run "${box[@]}" "$scratch/change" <"$outside/file"
	is "$name: a file: runs" "$status" 0
	is "$name: ... and is as it was" "$(state "$outside/file")" "$before"

	mkfifo -m 600 "$outside/fifo"
	before=$(state "$outside/fifo")
	echo word >"$outside/fifo" &
	run "${box[@]}" sh -c '"$1"; read -r word; echo "$word"; chmod 646 /proc/self/fd/1' - "$scratch/change" <"$outside/fifo"
	is "$name: a named pipe is read" "$out" word
	cat "$outside/fifo" >"$scratch/got" &
	"${box[@]}" sh -c 'echo word; chmod 646 /proc/self/fd/1' >"$outside/fifo" 2>/dev/null
	wait
	is "$name: ... and written" "$(cat "$scratch/got")" word
	# What is written into a pipe changes its time: it is now, not what the command set.
	isnt "$name: ... its time is no other's" "$(stat -c %Y "$outside/fifo")" 1
	is "$name: ... and is as it was" "$(without_time "$(state "$outside/fifo")")" "$(without_time "$before")"
	rm "$outside/fifo"

	before=$(state /dev/full)
	run "${box[@]}" "$scratch/change" </dev/full
	is "$name: a device" "$status $(state /dev/full)" "0 $before"
	# As root this would be the end of the test; the mode is none that hurts.
	[ "$(stat -c %a /dev/full)" = 666 ] || chmod 666 /dev/full
done

# The terminal, by every number and name.
if have PROGRAM script; then
	cat >"$scratch/terminal" <<END
stat -c 'before %a' "\$(tty)"
$SBX/sbx-run -a never -C $ws -- perl -e 'chmod(0646, *STDIN, *STDOUT, "/dev/tty", "/dev/console"); print -t STDIN ? "a terminal\n" : "none\n"'
stat -c 'after %a' "\$(tty)"
chmod 646 "\$(tty)"
stat -c 'control %a' "\$(tty)"
END
	SHELL=/bin/sh script -qec "sh $scratch/terminal" /dev/null </dev/null >"$scratch/said" 2>&1
	like "the terminal is one inside" "$(cat "$scratch/said")" 'a terminal'
	is "and keeps its mode" "$(sed -n 's/after //p' "$scratch/said")" "$(sed -n 's/before //p' "$scratch/said")"
	like "control: without a sandbox it does not" "$(cat "$scratch/said")" 'control 646'
else
	skip "the mode of the terminal" "no script(1)"
fi

# ---- how far it was read ------------------------------------------------------

fresh
set_box
{
	read -r _
	boxed dd bs=1 count=4 status=none
	read -r rest
} <"$outside/file"
is "the command reads on" "$out" two
is "... and the caller after it" "$rest" three
{
	"${box[@]}" sh -c 'read -r _; : >began; until [ -e end ]; do sleep 0.05; done' &
	eventually 10 test -e "$ws/began"
	read -r first
	: >"$ws/end"
	wait
	read -r rest
} <"$outside/file"
# Only a file that was opened again has a position of its own.
have NAMESPACES && is "a caller that reads beside it is not moved" "$first $rest" "one two"

# What the sandbox does not show cannot be opened behind its mounts.
mkdir "$scratch/hidden"
echo secret >"$scratch/hidden/file"
set_of='permissions.p={filesystem={":root"="read","'$scratch/hidden'"="none"}}'
hiding=("$SBX/sbx-run" -a never -C "$ws" -c "$set_of" -P p --)
run "${hiding[@]}" cat <"$scratch/hidden/file"
is "a file that is hidden inside is not handed on" "$status $out" "125 "
like "... and it is said" "$err" 'sbx-(run|linux-sandbox): fd 0: .*; pass it through a pipe'
run "${hiding[@]}" cat < <(cat "$scratch/hidden/file")
is "... but through a pipe" "$status $out" "0 secret"
finish
