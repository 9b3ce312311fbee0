#!/bin/bash
# The sandbox of root is as strong as that of a user: procfs, sysfs, cgroups
# and devices are not writable, and no file can be made to run as root later.
. "${0%/*}/lib/lib.sh"

# Writing back the same text needs the right to write and changes nothing.
core=/proc/sys/kernel/core_pattern
if have MOUNTS; then
	run "$TRY" write-same "$core"
	is "control: root can write core_pattern without the sandbox" "$out" "write-same ok"
fi
cgroup=$(find /sys/fs/cgroup -maxdepth 3 -name cgroup.procs 2>/dev/null | head -n 1)
files=("$core" /proc/sys/kernel/modprobe /proc/sys/kernel/hostname /proc/sys/vm/overcommit_memory
	/proc/sys/fs/binfmt_misc/register /proc/sysrq-trigger /proc/self/oom_score_adj_none
	/proc/sys/kernel/randomize_va_space /proc/irq/default_smp_affinity
	/sys/kernel/mm/transparent_hugepage/enabled /sys/kernel/uevent_helper /sys/power/state
	/sys/fs/cgroup/release_agent "${cgroup:-/sys/fs/cgroup/cgroup.procs}")
for network in off on; do
	for mode in workspace-write read-only; do
		box=("$SBX/sbx-run" -s "$mode" -a never -C "$ws" --network "$network" --)
		[ "$mode-$network" != read-only-on ] || continue
		for file in "${files[@]}"; do
			[ -e "$file" ] || continue
			run "${box[@]}" "$TRY" write-same "$file"
			like "$mode $network: $file cannot be written" "$out" '^write-same E'
			run "${box[@]}" sh -c '[ -w "$1" ] && exec 5<>"$1" && echo opened' - "$file"
			is "$mode $network: $file cannot be opened for writing" "$out" ""
		done
		run "${box[@]}" sh -c 'find /proc/sys /sys -type f -perm /222 2>/dev/null |
			perl -ne "chomp; print \"\$_\\n\" if sysopen(F, \$_, 1)" | head -n 5'
		is "$mode $network: nothing below /proc/sys and /sys opens for writing" "$out" ""
	done
done
set_box
boxed mkdir "/sys/fs/cgroup/sbx-t-$$"
ok "no cgroup can be made" absent "/sys/fs/cgroup/sbx-t-$$"
rmdir "/sys/fs/cgroup/sbx-t-$$" 2>/dev/null

# A set-user-id file in the workspace would be its owner for every user of the
# machine; one of root's group likewise.
modes=(4755 6755)
! have ROOT || modes+=(2755)
for mode in "${modes[@]}"; do
	rm -f "$ws/f"
	echo x >"$ws/f"
	denied "chmod $mode" "$ws/f" -- "$TRY" chmod "$mode" "$ws/f"
	denied "fchmod $mode" "$ws/f" -- "$TRY" fchmod "$mode" "$ws/f"
	refused "fchmodat2 $mode" fchmodat2 "$mode" "$ws/f"
	chmod 644 "$ws/f"
	boxed "$TRY" create-mode "$mode" "$ws/made"
	is "create with mode $mode makes no set-id file" "$(find "$ws" -name made -perm /6000)" ""
	rm -f "$ws/made"
done
allowed "control: chmod 755" "$ws/f" -- "$TRY" chmod 755 "$ws/f"
cp /bin/true "$ws/true"
boxed sh -c 'cp true copy && chmod u+s copy; install -m 4755 true other; tar -cf a.tar true; cp -p true p'
is "copies have no set-id bit" "$(find "$ws" -perm /6000)" ""

for kind in char block; do
	boxed "$TRY" mknod $kind "$ws/device"
	like "no $kind device can be made" "$out" '^mknod E'
	rm -f "$ws/device"
done

# Devices of the machine are not there.
boxed sh -c 'find /dev -type b; ls /dev | tr "\n" " "'
unlike "/dev has no disks, memory or kernel log" "$out" '(^|[ /])(sd|vd|nvme|mem|kmem|port|kmsg|loop|fuse|kvm|uinput|input|snapshot)'
for device in null zero full random urandom tty pts shm fd stdin stdout stderr; do
	boxed test -e "/dev/$device"
	is "/dev/$device is there" "$status" 0
done
boxed sh -c 'echo x >/dev/null && head -c 4 /dev/zero | wc -c && head -c 4 /dev/urandom | wc -c'
is "and they work" "$(tr -d ' \n' <<<"$out")" 44

# ... and stay as they are for everybody else.
cp -p /bin/true "$ws/own"
allowed "control: a file of one's own" "$ws/own" -- chmod 646 "$ws/own"
for whose in vendored system; do
	[ "$whose" = vendored ] || have PROGRAM bwrap || { skip "the bubblewrap of the system" "there is none"; continue; }
	set_box -c "sbx.bwrap=\"$whose\""
	for device in full zero urandom tty; do
		before=$(stat -c '%a %u %g' "/dev/$device")
		boxed sh -c 'chmod 646 "$1"; touch -d @1 "$1"; chown 0:5 "$1"' - "/dev/$device"
		is "$whose: /dev/$device is as it was" "$(stat -c '%a %u %g' "/dev/$device")" "$before"
		# Whoever writes to a terminal on this machine changes the time of /dev/tty.
		isnt "$whose: ... and its time is not the command's" "$(stat -c %Y "/dev/$device")" 1
		[ "$(stat -c %a "/dev/$device")" = 666 ] || chmod 666 "/dev/$device"
	done
	boxed sh -c 'echo x >/dev/null && : >/dev/null && head -c 4 /dev/zero | wc -c && test -w /dev/null'
	is "$whose: and they are written" "$status $out" "0 4"
done
finish
