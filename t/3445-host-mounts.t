#!/bin/bash
# What is mounted outside during a run does not appear inside, where it would
# be writable whatever the policy says.
. "${0%/*}/lib/lib.sh"
need USERNS

# No mount of the sandbox takes part in what others mount.
table() { grep -cE ' (master|shared):' "$1"; }
in_shared() {
	unshare -m --propagation private bash -c '
		mkdir -p "$1/tree" && mount -t tmpfs tree "$1/tree" && mount --make-rshared / && shift && exec "$@"' \
		- "$scratch" "$@"
}
if ! have ROOT || ! in_shared true 2>/dev/null; then
	boxed cat /proc/self/mountinfo
	printf '%s\n' "$out" >"$scratch/table"
	is "no mount inside belongs to a group of others" "$(table "$scratch/table")" 0
	skip "a mount made outside" "needs root"
	finish
fi

# attempt MODE OPTION...: during the run a file system is mounted outside; did it come in, and could it be changed?
attempt() {
	# shellcheck disable=SC2016
	in_shared bash -c '
		ws=$1 tree=$2
		shift 2
		: >"$tree.out"
		"$@" >"$tree.out" 2>"$tree.err" &
		for i in $(seq 250); do grep -q began "$tree.out" && break; sleep 0.02; done
		mkdir "$tree/usb"
		mount -t tmpfs usb "$tree/usb"
		echo host >"$tree/usb/file"
		chmod 600 "$tree/usb/file"
		: >"$tree/go"
		wait $!
		stat -c %a "$tree/usb/file" >"$tree.mode"' - "$ws" "$scratch/tree" "$@"
	out=$(cat "$scratch/tree.out")
}
# shellcheck disable=SC2016
look='echo began; until test -e "$1/go"; do sleep 0.02; done
	test -e "$1/usb/file" && echo came in; chmod 666 "$1/usb/file"
	grep -cE " (master|shared):" /proc/self/mountinfo'
inside=(bash -c "$look" - "$scratch/tree")

attempt "${inside[@]}"
like "control: without the sandbox it is there" "$out" "came in"
is "control: and can be changed" "$(cat "$scratch/tree.mode")" 666
for bwrap in vendored system; do
	if [ "$bwrap" = system ] && ! have PROGRAM bwrap; then
		skip "the system's bubblewrap" "is not installed"
		continue
	fi
	for mode in read-only workspace-write; do
		attempt "$SBX/sbx-run" -s "$mode" -a never -C "$ws" -c "sbx.bwrap=\"$bwrap\"" -- "${inside[@]}"
		like "$bwrap, $mode: the command ran" "$out $(cat "$scratch/tree.err")" began
		unlike "$bwrap, $mode: it does not come in" "$out" "came in"
		is "$bwrap, $mode: its mode cannot be changed" "$(cat "$scratch/tree.mode")" 600
		is "$bwrap, $mode: no mount inside belongs to a group of others" "$(tail -n 1 <<<"$out")" 0
	done
done
finish
