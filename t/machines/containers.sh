# shellcheck shell=bash disable=SC2154
# Containers of two kinds, for the tests on other machines: with Podman's own filter of system
# calls, which allows namespaces, and with one like Docker's, which does not.  After lib.sh.

need_containers() {
	need_program podman "podman runc"
	need_program runc runc
	need_program jq jq
}

# Docker's profile gives these to CAP_SYS_ADMIN, CAP_SYS_PTRACE or nobody.
refused='["unshare","mount","umount","umount2","setns","mount_setattr","move_mount","open_tree","fsopen","fsmount",
	"fsconfig","fspick","pidfd_getfd","keyctl","add_key","request_key","pivot_root","sethostname","setdomainname",
	"clone","clone3","bpf","perf_event_open","userfaultfd","io_uring_setup","io_uring_enter","io_uring_register"]'
# ... and the plain clone() of threads and processes to everybody.
docker_profile() {
	jq --argjson refused "$refused" '
		.syscalls |= map(.names -= $refused | select(.names != [])) |
		.syscalls += [
			{names: ["clone"], action: "SCMP_ACT_ALLOW",
			 args: [{index: 0, value: 2114060288, valueTwo: 0, op: "SCMP_CMP_MASKED_EQ"}]},
			{names: ["clone3"], action: "SCMP_ACT_ERRNO", errnoRet: 38}] |
		.defaultErrno = "EPERM" | .defaultErrnoRet = 1' /usr/share/containers/seccomp.json
}

# inside KIND COMMAND...: in $cache/root-$inside_root, with $also from here; what is written
# there is forgotten.  The kernel counts a user's processes on the whole machine, whatever
# container they are in.
inside() {
	local kind=$1 options=()
	shift
	[ "$kind" != docker ] || options=(--security-opt "seccomp=$cache/docker.json")
	podman --runtime runc --cgroup-manager=cgroupfs --storage-driver=vfs run --rm --network none \
		--ulimit nofile=1024:4096 --ulimit nproc=32768:32768 ${options[@]+"${options[@]}"} \
		-v "$root:$root:ro" ${also:+-v "$also:$also:ro"} --workdir / --rootfs "$cache/root-${inside_root:-tests}:O" "$@"
}

containers_begin() {
	mkdir -p "$cache"
	docker_profile >"$cache/docker.json"
}
