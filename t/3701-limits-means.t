#!/bin/bash
# Limits are held by whatever can be had: a cgroup, one that was delegated to the user,
# or by looking; and what is only approximate is in "lost".
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/limits.sh"
need SANDBOX
names='.sandbox.lost | map(.guarantee | select(startswith("limit-")))'

bounded processes=24,memory=64M,cpu=1 -s workspace-write -- true
measured=$(said .result.usage.measured)
lost=$(said "$names")
note "measured by: $measured; lost: $lost"
case $measured in
cgroup) is "a cgroup holds all of it" "$lost" "[]" ;;
*) is "without one it is said" "$lost" '["limit-processes","limit-memory","limit-cpu"]' ;;
esac
run "$SBX/sbx-run" --dry-run -s workspace-write -a never --limit processes=24,memory=64M,cpu=1 -C "$ws" -- true
is "... before it runs as well" "$(said "$names")" "$lost"
bounded memory=64M -s danger-full-access -- true
is "... and without a sandbox" "$(said "$names | length")" "$(jq -c 'map(select(. == "limit-memory")) | length' <<<"$lost")"

# A bomb that rests at its end is found however busy the machine is.
export BOMB_WAIT=20
both() { # WHAT
	bounded memory=64M -s workspace-write -- ./bomb memory 400
	ended "$1: memory" memory memory=128M
	bounded processes=24 -s workspace-write -- ./bomb fork 200
	ended "$1: processes" processes processes=48
	bounded processes=24 -s workspace-write -- ./bomb storm 4000
	ended "$1: a storm" processes processes=48
}

# Memory that is not where one looks first, and no cgroup counts it.
hidden() { # WHAT
	for kind in late apart behind; do
		bounded memory=64M -s workspace-write -- ./bomb "$kind" 400
		ended "$1: memory, $kind" memory memory=128M
	done
	# A namespace of its own, whose table only somebody in it can open.
	! have NAMESPACES || {
		bounded memory=64M -s workspace-write -- ./bomb segments 400
		ended "$1: memory, segments" memory memory=128M
	}
	rm -f "$ws/begun"
	bounded memory=64M -s danger-full-access -- sh -c 'BOMB_WAIT=60 setsid sh -c ": >begun; exec ./bomb fork 2" >/dev/null 2>&1 &
		until [ -e begun ]; do sleep 0.01; done'
	is "$1: what goes on behind a command without a sandbox" "$(said '.result | [.outcome, .exit_code]')" '["exited",0]'
	ok "... ends with it" eventually 5 nothing_left
}

# As in a container of Docker's kind, where nobody is root of anything.
if have LANDLOCK 3; then
	around=("$TRY" docker)
	both "Landlock alone"
	around=()
else
	skip "Landlock alone" "this kernel's Landlock is older than ABI 3"
fi

if have MOUNTS && [ "$measured" = cgroup ]; then
	# Root who sees no cgroup.
	around=(unshare -m --propagation private sh -c 'mount -t tmpfs none /sys/fs/cgroup && exec "$@"' sh)
	both "root without cgroups"
	is "... by looking" "$(said '[.result.usage.measured, (.sandbox.lost | map(.guarantee))]')" '["watched",["limit-processes"]]'
	hidden "root without cgroups"
	around=()

	# A subtree of a user's.
	delegated=()
	for controller in pids memory cpu; do
		[ ! -d "/sys/fs/cgroup/$controller" ] || delegated+=("/sys/fs/cgroup/$controller")
	done
	[ ${#delegated[@]} != 0 ] || [ ! -w /sys/fs/cgroup/cgroup.procs ] || delegated=(/sys/fs/cgroup)
	name=sbx-t-$$
	tidy() {
		local code=$?
		for dir in "${delegated[@]}"; do rmdir "$dir/$name/in" "$dir/$name" 2>/dev/null; done
		return "$code"
	}
	trap 'tidy; at_exit' EXIT
	chmod 755 "$scratch"
	mkdir "$scratch/user"
	cp -r "$SBX" "$scratch/user/bin"
	cp -r "$ws" "$scratch/user/ws"
	chown -R 1000:1000 "$scratch/user"
	for dir in "${delegated[@]}"; do
		mkdir -p "$dir/$name/in"
		[ ! -e "$dir/cgroup.subtree_control" ] || echo "+pids +memory +cpu" >"$dir/$name/cgroup.subtree_control"
		chown -R 1000:1000 "$dir/$name"
	done
	# shellcheck disable=SC2016 # for that shell
	run sh -c 'name=$1; user=$2; shift 2
		for dir; do echo $$ >"$dir/$name/in/cgroup.procs"; done
		cd "$user/ws" && exec setpriv --reuid 1000 --regid 1000 --clear-groups env HOME="$user" \
			../bin/sbx-run --json -a never -s workspace-write --limit memory=64M,processes=24,cpu=1 -- ./bomb memory 400' \
		sh "$name" "$scratch/user" "${delegated[@]}"
	ended "a user with a subtree" memory memory=128M
	is "... by its cgroup, exactly" "$(said '[.result.usage.measured, (.sandbox.lost | map(.guarantee))]')" '["cgroup",[]]'
	ok "... of which nothing is left" eventually 5 nothing_left
	tidy
else
	[ "$measured" = cgroup ] || hidden "without a cgroup"
	skip "root without cgroups, and a subtree of a user's" "no root, or no cgroup of root's"
fi
ok "nothing is left" eventually 5 nothing_left
finish
