#!/bin/bash
# sbx-select --probe: what works here, and a cure for each thing that does not.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
cd "$ws" || exit 1

run "$SBX/sbx-select" --probe
for name in kernel 'user namespaces' AppArmor 'seccomp filters' 'seccomp notification' Landlock \
	bubblewrap 'a sandbox for workspace-write'; do
	like "$name is reported" "$out" "^(ok  |note|FAIL) $name(:|$)"
done
unlike "nothing but the report is printed" "$out" '^[^onF ]|^$'

# each_cured REPORT: every FAIL line but the verdict is followed by its cure
each_cured() {
	awk '/^FAIL/ && !/workspace-write/ { getline next_line
		if (next_line !~ /^     cure: ./) { print; exit 1 } }' <<<"$1"
}
ok "every failure has a cure" each_cured "$out"

if have USERNS; then
	is "available: exit 0" "$status" 0
	like "user namespaces work" "$out" '^ok   user namespaces$'
	like "the verdict" "$out" '^ok   a sandbox for workspace-write: bubblewrap$'

	# A machine that allows none.
	run unshare -Ur bash -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$0" --probe' \
		"$SBX/sbx-select"
	if have LANDLOCK 3 && have NOTIFY; then
		like "with the broker: available" "$status $out" \
			'^ok   a sandbox for workspace-write: landlock, with the broker$'
		is "... exit 0" "$status" 0
	fi
	# And that lets us not listen to system calls either.
	run unshare -Ur bash -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$1" listened "$0" --probe' \
		"$SBX/sbx-select" "$TRY"
	is "not available: exit 4" "$status" 4
	like "the reason is named" "$out" '^FAIL user namespaces: user.max_user_namespaces is 0'
	like "the switch itself too" "$out" '^FAIL user.max_user_namespaces: 0'
	like "... with the cure" "$out" '^     cure: sysctl user.max_user_namespaces='
	like "the verdict names what cannot be held" "$out" '^FAIL a sandbox for workspace-write: "/.*'
	ok "every failure has a cure there too" each_cured "$out"

	# AppArmor's switch, on a kernel that does not have it.
	mkdir "$scratch/kernel"
	echo 1 >"$scratch/kernel/apparmor_restrict_unprivileged_userns"
	cat /proc/sys/kernel/osrelease >"$scratch/kernel/osrelease"
	run unshare -Urm bash -c 'mount --bind "$1" /proc/sys/kernel &&
		echo 0 >/proc/sys/user/max_user_namespaces && exec "$0" --probe' \
		"$SBX/sbx-select" "$scratch/kernel"
	like "AppArmor's restriction is named" "$out" '^FAIL AppArmor: '
	like "... with its cure" "$out" 'cure: load the AppArmor profile in share/sbx/apparmor'
	run unshare -Urm bash -c 'mount --bind "$1" /proc/sys/kernel && exec "$0"' \
		"$SBX/sbx-select" "$scratch/kernel" <<<"$(doc "$approved")"
	is "control: where it restricts others only, namespaces are found to work" \
		"$(field .sandbox.backend)" bubblewrap

	# WSL1 calls itself 4.4.
	echo 'Linux version 4.4.0-19041-Microsoft (Microsoft@Microsoft.com)' >"$scratch/version"
	run unshare -Urm bash -c 'mount --bind "$1" /proc/version && exec "$0" --probe' \
		"$SBX/sbx-select" "$scratch/version"
	like "a Microsoft kernel is named" "$out" '^(ok  |FAIL) Windows subsystem: WSL[12]'

	# A masked /proc, as containers have it.  Where a second /proc is mounted that
	# nothing masks, the kernel refuses nothing.
	run unshare -Urm bash -c 'mount -t tmpfs none /proc/sys || exit
		! unshare -Urpf --mount-proc true 2>/dev/null || echo given
		exec "$0" --probe' "$SBX/sbx-select"
	if [ "${out%%$'\n'*}" = given ]; then
		unlike "a fresh /proc that the kernel gives is not complained about" "$out" '^note fresh /proc: '
	else
		like "a fresh /proc that the kernel refuses is named" "$out" '^note fresh /proc: '
	fi
else
	skip "the rest of the report" "no user namespaces"
fi

run "$SBX/sbx-select" --probe --platform macos
like "another system: assumed, and said" "$out" '^note sandbox-exec: assumed'

finish
