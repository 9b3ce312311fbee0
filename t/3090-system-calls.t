#!/bin/bash
# Interfaces of the kernel that ordinary programs do not need are refused.
. "${0%/*}/lib/lib.sh"

for network in off on; do
	set_box --network "$network"
	refused "$network: io_uring" io_uring_setup
	refused "$network: bpf" bpf
	refused "$network: perf" perf_event_open
	refused "$network: userfaultfd" userfaultfd
	refused "$network: ptrace" ptrace
	refused "$network: process_vm_readv" process_vm_readv
	refused "$network: process_vm_writev" process_vm_writev
	refused "$network: open_by_handle_at" open_by_handle_at /etc/passwd
	refused "$network: keyctl" keyctl
	refused "$network: add_key" add_key "sbx-t-$$" x
	refused "$network: request_key" request_key "sbx-t-$$"
	refused "$network: mount" mount "$ws"
	refused "$network: bind mount" bind / "$ws"
	refused "$network: remount" remount /
	refused "$network: umount2" umount2 /proc
	refused "$network: pivot_root" pivot_root "$ws"
	refused "$network: chroot" chroot "$ws"
	refused "$network: open_tree" open_tree "$ws"
	refused "$network: move_mount" move_mount "$ws"
	refused "$network: fsopen" fsopen
	refused "$network: fsmount" fsmount
	refused "$network: fspick" fspick /
	refused "$network: mount_setattr" mount_setattr /
	refused "$network: setns" setns /proc/self/ns/net
	for kind in user net ns pid ipc uts cgroup; do
		refused "$network: unshare $kind" unshare "$kind"
		refused "$network: unshare $kind with high bits" unshare-high "$kind"
		refused "$network: clone $kind" clone "$kind"
		refused "$network: clone3 $kind" clone3 "$kind"
	done
done

# With user namespaces asked for, mounts are still out of reach of the host;
# without, a fork is still a fork.
usable "clone without a namespace" clone 0
boxed sh -c 'sh -c "echo child" & wait'
is "fork works" "$out" child

# On a directory: keys of encrypted ones (3), exclusive use, line disciplines;
# then subvolumes and snapshots, made and removed, in both forms.
cat >"$scratch/ioctls" <<'END'
#!/usr/bin/perl
sysopen(my $directory, ".", 0) or die;
for my $number (0xc0506617, 0xc0406618, 0xc0406619, 0x540c, 0x5423,
		0x5000940e, 0x50009401, 0x5000940f, 0x50009418, 0x50009417, 0x5000943f) {
	my $argument = "\0" x 4096;
	$! = 0;
	ioctl($directory, $number, $argument);
	print $! + 0, " ";
}
END
chmod +x "$scratch/ioctls"
set_box
unboxed "$scratch/ioctls"
unlike "control: without a sandbox another error says that they are not for this directory" "$out" '(^| )1 '
boxed "$scratch/ioctls"
is "keys of directories, exclusive use, line disciplines and snapshots are refused" \
	"$out" "1 1 1 1 1 1 1 1 1 1 1 "
finish
