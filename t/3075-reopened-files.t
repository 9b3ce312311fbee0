#!/bin/bash
# A file that is given for reading stays that, also through /proc/self/fd, where
# it can be opened once more; with Landlock and without.
. "${0%/*}/lib.sh"
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
	first=("$SBX/sbx-run" -s workspace-write -a never -C "$ws")
	case $name in
	without*) first=("$TRY" refuse 444 38 "${first[@]}") ;;
	*nested) first+=(-c sbx.nested=true) ;;
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
	is "$name: a file of the workspace" "$status $out $(xargs <"$ws/file")" "0 mine mine more"
	"${box[@]}" echo said >"$outside/log"
	is "$name: a file for writing is written" "$(cat "$outside/log")" said
done

# What the sandbox does not show cannot be opened behind its mounts.
mkdir "$scratch/hidden"
echo secret >"$scratch/hidden/file"
set_of='permissions.p={filesystem={":root"="read","'$scratch/hidden'"="none"}}'
run "$TRY" refuse 444 38 "$SBX/sbx-run" -a never -C "$ws" -c "$set_of" -P p -- cat <"$scratch/hidden/file"
is "without Landlock: a file that is hidden inside is not handed on" "$status $out" "125 "
like "... and it is said" "$err" 'sbx-linux-sandbox: fd 0: .*Landlock'
run "$SBX/sbx-run" -a never -C "$ws" -c "$set_of" -P p -- cat <"$scratch/hidden/file"
is "with Landlock: it can be read, which is what was asked for" "$status $out" "0 secret"
finish
