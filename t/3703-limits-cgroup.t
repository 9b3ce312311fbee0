#!/bin/bash
# The cgroup of a run is out of its reach, and goes with it; what a killed run leaves is
# removed by the next, and nobody else's is.
. "${0%/*}/lib/lib.sh"
# The next run of anybody here ends what a killed one left, also that of another test.
quiet
. "$TESTS/lib/limits.sh"
need SANDBOX
bounded memory=64M,processes=24 -s workspace-write -- true
[ "$(said .result.usage.measured)" = cgroup ] || skip_all "no cgroup can be made here by this user"

# What a command tries: to leave, to raise its limits, to make one below.
cat >"$ws/escape" <<'END'
for dir in $(find /sys/fs/cgroup -type d -name 'sbx-limits-*') /sys/fs/cgroup /sys/fs/cgroup/*; do
	for file in cgroup.procs tasks pids.max memory.max memory.limit_in_bytes; do
		{ [ -e $dir/$file ] && echo max >$dir/$file; } 2>/dev/null && echo "wrote $dir/$file"
		{ [ -e $dir/$file ] && echo 0 >$dir/$file; } 2>/dev/null && echo "wrote $dir/$file"
	done
	mkdir $dir/mine 2>/dev/null && echo "made $dir/mine"
done
mount -t cgroup2 none /mnt 2>/dev/null && echo mounted
find /sys/fs/cgroup -type d -name 'sbx-limits-*' | grep -q . && echo seen
exit 0
END
bounded memory=64M,processes=24 -s workspace-write -- sh ./escape
is "it sees its cgroup, and changes nothing" "$(said .result.stdout)" "seen"
bounded memory=64M,processes=24 -s workspace-write --add-dir /sys/fs/cgroup -- sh ./escape
is "nor with a root there" "$(said .result.stdout)" "seen"
if have LANDLOCK 3; then
	around=("$TRY" docker)
	bounded memory=64M,processes=24 -s workspace-write -- sh ./escape
	is "nor by Landlock alone" "$(said '.result.stdout | split("\n") | map(select(. != "seen"))')" '[""]'
	around=()
else
	skip "nor by Landlock alone" "this kernel's Landlock is older than ABI 3"
fi
ok "nothing is left" eventually 5 nothing_left

# Without a sandbox it can make one below its own, and go there.
cat >"$ws/below" <<'END'
for dir in $(find /sys/fs/cgroup -type d -name 'sbx-limits-*'); do
	grep -qx $$ $dir/cgroup.procs && mkdir $dir/below && echo made
done
BOMB_WAIT=60 setsid sh -c 'for dir in $(find /sys/fs/cgroup -type d -path "*/sbx-limits-*/below"); do
	echo $$ >$dir/cgroup.procs
done
: >begun
exec ./bomb fork 2' >/dev/null 2>&1 &
until [ -e begun ]; do sleep 0.01; done
END
bounded memory=64M,processes=24 -s danger-full-access -- sh ./below
like "control: a command without a sandbox makes a cgroup in its own" "$(said .result.stdout)" made
ok "... and it goes with all that is in it" eventually 5 nothing_left

# Two at a time have one each.
"$SBX/sbx-run" -s workspace-write -a never --limit processes=24 -C "$ws" -- ./bomb rhythm 30000 >"$scratch/other" &
other=$!
kill_later "$other"
# The one that the first bomb is in.
cgroup_of_run() {
	local pid path dir
	pid=$(bombs_left | head -n 1)
	path=$(sed -n 's,^[0-9]*:\(pids\)\{0\,1\}:\(.*sbx-limits-.*\),\2,p' "/proc/${pid:-0}/cgroup" 2>/dev/null)
	for dir in /sys/fs/cgroup /sys/fs/cgroup/pids /sys/fs/cgroup/unified; do
		[ -z "$path" ] || [ ! -d "$dir$path" ] || echo "$dir$path"
	done
}
running() { [ -n "$(cgroup_of_run)" ]; }
ok "control: a run has one" eventually 10 running
mine=$(cgroup_of_run)
bounded processes=24 -s workspace-write -- true
ok "another run lets it be" [ -d "$mine" ]

# Everything of it is killed at once.
members=$(cat "$mine/cgroup.procs")
helper=$(pgrep -P "$other")
# shellcheck disable=SC2086 # numbers
kill -KILL $other $helper $members 2>/dev/null
wait "$other" 2>/dev/null
eventually 5 [ -z "$(bombs_left)" ]
ok "control: SIGKILL leaves it" [ -d "$mine" ]
place=${mine%/*}
mkdir "$place/sbx-limits-0123456789abcdef.scope" "$place/sbx-limits-0123"
bounded processes=24 -s workspace-write -- true
not_ok "the next run removes it" [ -d "$mine" ]
ok "... and nothing of another name" rmdir "$place/sbx-limits-0123456789abcdef.scope" "$place/sbx-limits-0123"

# With a command that outlives a run without a sandbox.
"$SBX/sbx-run" -s danger-full-access -a never --limit processes=24 -C "$ws" -- sh -c 'setsid ./bomb rhythm 30000 & sleep 30' >"$scratch/other" &
other=$!
ok "control: it runs" eventually 10 running
kill -KILL "$other"
wait "$other" 2>/dev/null
ok "control: it goes on" [ -n "$(bombs_left)" ]
bounded processes=24 -s workspace-write -- true
ok "the next run ends that, too" eventually 5 nothing_left
finish
