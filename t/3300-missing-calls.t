#!/bin/bash
# Where the kernel or its surroundings lack a call, the sandbox holds another
# way or says that it cannot; it never runs the command without.
. "${0%/*}/lib/lib.sh"
need X86_64

# number errno what
while read -r number errno what; do
	run timeout -k 1 60 "$TRY" refuse "$number" "$errno" "${box[@]}" sh -c 'echo ran; echo x >"$1/made"' - "$outside"
	ok "$what: nothing is written outside" absent "$outside/made"
	rm -f "$outside/made"
	if [ "$status" = 125 ]; then
		like "$what: refused in words" "$err" '^sbx-[a-z-]+: .'
		unlike "$what: and not run" "$out" ran
	else
		is "$what: runs" "$out" ran
	fi
	unlike "$what: does not hang" "$status" '^(124|137)$'
done <<'END'
437 38 openat2-ENOSYS
437 1 openat2-EPERM
317 38 seccomp-ENOSYS
317 1 seccomp-EPERM
444 38 landlock_create_ruleset-ENOSYS
445 1 landlock_add_rule-EPERM
446 1 landlock_restrict_self-EPERM
272 1 unshare-EPERM
165 1 mount-EPERM
155 1 pivot_root-EPERM
428 38 open_tree-ENOSYS
442 38 mount_setattr-ENOSYS
157 22 prctl-EINVAL
250 38 keyctl-ENOSYS
435 38 clone3-ENOSYS
434 38 pidfd_open-ENOSYS
436 38 close_range-ENOSYS
332 38 statx-ENOSYS
53 1 socketpair-EPERM
54 1 setsockopt-EPERM
165 38 mount-ENOSYS
41 1 socket-EPERM
105 1 setuid-EPERM
126 1 capset-EPERM
319 1 memfd_create-EPERM
END

run "$TRY" refuse 437 38 "${box[@]}" sh -c 'echo ran; echo x >made'
is "without openat2 it still runs" "$status:$out" "0:ran"

# Before Linux 5.11 close_range() can close, but not at the next exec.
run bash -c 'exec 57<"$1"; shift; exec "$@"' - "$outside" "$TRY" refuse 436 22 "$TRY" fds
like "control: a descriptor of the caller is inherited" "$out" '^fd 57$'
# Only a kernel too old for Landlock lacks it, and that is all there is without namespaces.
have NAMESPACES || {
	skip "without CLOSE_RANGE_CLOEXEC" "no namespaces here"
	finish
}
run bash -c 'exec 57<"$1"; shift; exec "$@"' - "$outside" "$TRY" refuse 436 22 "${box[@]}" "$TRY" fds
is "without CLOSE_RANGE_CLOEXEC it still runs" "$status" 0
unlike "and the descriptor is not inherited" "$out" '^fd 57$'
finish
