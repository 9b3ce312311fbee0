#!/bin/bash
# sbx-select --probe promises nothing that it has not tried, tells apart what
# can be in the way, and ends with one line to type.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
cd "$ws" || exit 1

# last REPORT: its last line
last() { tail -n 1 <<<"$1"; }
# nothing_left: no directory of a probe stays; another test may be probing at the moment
nothing_left() { [ -z "$(find /var/tmp /tmp -maxdepth 1 -name 'sbx-probe.*' -user "$(id -u)" 2>/dev/null)" ]; }

# ---- the helper itself is tried --------------------------------------------

mkdir "$scratch/bin"
cp "$SBX/sbx-select" "$scratch/bin/"
helper() { printf '#!/bin/sh\n%s\n' "$1" >"$scratch/bin/sbx-linux-sandbox"; chmod +x "$scratch/bin/sbx-linux-sandbox"; }

helper 'echo "sbx-linux-sandbox: closing files: Invalid argument" >&2; exit 125'
run "$scratch/bin/sbx-select" --probe
is "a helper that cannot run: no sandbox, exit 4" "$status" 4
like "... and it says why" "$out" '^FAIL a sandbox for workspace-write: (closing files: Invalid argument|.*)$'
unlike "... and nothing is promised" "$out" '^ok   a sandbox'
helper 'exit 3'
run "$scratch/bin/sbx-select" --probe
is "one that fails without a word too" "$status" 4
rm "$scratch/bin/sbx-linux-sandbox"
run "$scratch/bin/sbx-select" --probe
is "one that is missing too" "$status" 4
ok "nothing is left of an attempt" eventually 30 nothing_left

if ! have USERNS; then
	skip "the rest" "no user namespaces"
	finish
fi

helper 'exec "'"$SBX/sbx-linux-sandbox"'" "$@"'
run "$scratch/bin/sbx-select" --probe
is "control: the real one, started from there, works" "$status" 0
like "... and the last line is what to type" "$(last "$out")" '^next /.*/sbx-run --auto -- COMMAND$'
PATH=$scratch/bin:$PATH run "$scratch/bin/sbx-select" --probe
is "... by its name where that is enough" "$(last "$out")" 'next sbx-run --auto -- COMMAND'
ok "nothing is left of an attempt that went well" eventually 30 nothing_left

# ---- what is in the way --------------------------------------------------------

if unshare -Ur test -w /proc/sys/user/max_user_namespaces; then
	# Without Landlock, too: with it the broker works, and nothing has to be turned.
	run unshare -Ur bash -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@" --probe' sh \
		"$TRY" refuse 444 38 "$SBX/sbx-select"
	is "a switch: the last line turns it" "$(last "$out")" "next sysctl user.max_user_namespaces=10000"
else
	skip "a switch: the last line turns it" "switches are read-only here"
fi

# Debian's switch does not concern root, who makes them all the same.
mkdir "$scratch/kernel"
cat /proc/sys/kernel/osrelease >"$scratch/kernel/osrelease"
cat /proc/sys/kernel/overflowuid >"$scratch/kernel/overflowuid"
cat /proc/sys/kernel/overflowgid >"$scratch/kernel/overflowgid"
echo 0 >"$scratch/kernel/unprivileged_userns_clone"
run unshare -Urm bash -c 'mount --bind "$1" /proc/sys/kernel && exec "$0" --probe' \
	"$SBX/sbx-select" "$scratch/kernel"
unlike "a switch that does not matter here is no failure" "$out" '^FAIL kernel.unprivileged_userns_clone'
like "... and is shown" "$out" '^ok   kernel.unprivileged_userns_clone: 0'
is "... with everything working" "$status" 0

# A bwrap that is there, and does not say what it can do.
if [ -e /usr/bin/bwrap ]; then
	printf '#!/bin/sh\nexit 1\n' >"$scratch/bwrap"
	chmod +x "$scratch/bwrap"
	run unshare -Urm bash -c 'mount --bind "$1" /usr/bin/bwrap && exec "$0" --probe' \
		"$SBX/sbx-select" "$scratch/bwrap"
	unlike "a bwrap that fails is not called missing" "$out" 'no /usr/bin/bwrap'
	like "... but failing" "$out" '^ok   bubblewrap: .*/usr/bin/bwrap --help fails'
else
	skip "a bwrap that fails" "there is none"
fi

finish
