#!/bin/bash
# Whatever is mounted in a workspace and however its entries lie in each other, the mounts
# that we make ourselves are those that bubblewrap makes of the same policy.
. "${0%/*}/lib/lib.sh"
slow
need NAMESPACES
need PROGRAM python3

# The host's own mounts, in a namespace of this test.
if [ "${1:-}" != inside ]; then
	as=(unshare --mount)
	[ "$(id -u)" = 0 ] || as=(unshare --user --map-root-user --mount)
	"${as[@]}" true 2>/dev/null || { skip "no mounts for a test" "mounts agree"; finish; }
	exec "${as[@]}" bash "$0" inside
fi

export HOME=/nonexistent CODEX_HOME=$scratch/codex
mkdir "$CODEX_HOME"
mount --make-rprivate /
mkdir -p "$ws"/{a/b/c/d,closed/open/again,flags/in/deeper,over,file,read,shared} "$scratch"/{lower/low,upper,work}
mount -t tmpfs -o nosuid,nodev,noexec,noatime flags "$ws/flags" && mkdir -p "$ws/flags/in/deeper" "$ws/flags/hidden"
mount -t overlay -o "lowerdir=$scratch/lower,upperdir=$scratch/upper,workdir=$scratch/work" over "$ws/over" || mkdir "$ws/over/low"
mkdir "$ws/over/hidden"
echo host >"$ws/file/host" && echo other >"$scratch/other"
mount --bind "$scratch/other" "$ws/file/host" && mount -o remount,bind,ro "$ws/file/host"
mount -t tmpfs -o ro read "$ws/read"
mount -t tmpfs shared "$ws/shared" && mount --make-shared "$ws/shared" && mkdir "$ws/shared/in"
long=$(printf 'n%.0s' {1..250})
deep=$(printf "$long/%.0s" {1..13})
mkdir -p "$ws/$deep"

# What is mounted where, with which flags; and what can be seen at each place.  Mounts of
# containers come and go, and bubblewrap leaves writable what only root can look up.
# shellcheck disable=SC2016
table=(awk '{ sub("bindfile[^/]*", "file"); if ($5 !~ "^/dev|/containers/") { print $4, $5, $6; top[$5] = $4 " " $6 } } END { for (p in top) print "top", p, top[p] }' /proc/self/mountinfo)

# compare ENTRY...: "path" = "access", in the workspace; in $ours and $theirs
compare() {
	local argv bwrap holder i
	box=("$SBX/sbx-run" -a never -P some -C "$ws")
	{
		echo '[permissions.some.filesystem]'
		echo '":root" = "read"'
		echo '[permissions.some.filesystem.":workspace_roots"]'
		printf '%s\n' "$@"
	} >"$CODEX_HOME/config.toml"
	run "${box[@]}" -- "${table[@]}"
	ours=$status$err$'\n'$(sort <<<"$out")
	mapfile -t argv < <("${box[@]}" --dry-run -- true | jq -r '.exec.argv[1:][]')
	# It needs the places: they are there while somebody has them.
	mkfifo "$scratch/line"
	"${box[@]}" -- sh -c 'echo; read -r _' >"$scratch/line" 2>/dev/null <"$scratch/end" &
	holder=$!
	read -r _ <"$scratch/line"
	mapfile -t -d '' bwrap < <("$SBX/sbx-linux-sandbox" --print-args "${argv[@]}")
	# What stands for a hidden file is read from a descriptor, which nobody has here.
	for i in "${!bwrap[@]}"; do
		[ "${bwrap[$i]}" != --ro-bind-data ] || bwrap[i + 1]=7
	done
	run bash -c 'exec -a sbx-bwrap "$@" 7</dev/null' - "$SBX/sbx-linux-sandbox" "${bwrap[@]}" "${table[@]}"
	theirs=$status$err$'\n'$(sort <<<"$out")
	echo >"$scratch/end"
	wait "$holder"
	rm "$scratch/line"
}
mkfifo "$scratch/end"
exec 8<>"$scratch/end"

compare '"." = "write"' '"a" = "read"' '"a/b" = "write"' '"a/b/c" = "none"' '"flags/in" = "read"' \
	'"flags/in/deeper" = "write"' '"flags/hidden" = "none"' '"over/low" = "read"' '"over/hidden" = "none"' \
	'"file/host" = "read"' '"shared/in" = "read"' "\"${deep%/}\" = \"read\""
is "kinds of file systems, of flags and of names" "$ours" "$theirs"
like "control: the flags of the host are kept" "$ours" "$ws/flags/in ro,nosuid,nodev,noexec,noatime"
like "control: the long name is among them" "$ours" "$long ro"
before=$ours
compare '"." = "write"' '"closed" = "none"' '"closed/open" = "write"' '"closed/open/again" = "none"' '"a" = "none"' '"file/host" = "none"'
is "hidden in what is reopened in what is hidden" "$ours" "$theirs"
isnt "control: other policies have other mounts" "$ours" "$before"

# Entries at random places of a tree.
random() {
	python3 - "$1" <<'PYTHON'
import random, sys
random.seed(int(sys.argv[1]))
places = ["a", "a/b", "a/b/c", "a/b/c/d", "closed", "closed/open", "closed/open/again", "flags", "flags/in",
          "flags/in/deeper", "flags/hidden", "over", "over/low", "shared", "shared/in", "read", "file", "file/host"]
print('"." = "%s"' % random.choice(["write", "write", "read"]))
for place in random.sample(places, random.randint(2, 9)):
    print('"%s" = "%s"' % (place, random.choice(["read", "write", "none"])))
PYTHON
}
differ=()
for seed in $(seq "$(long 8 60)"); do
	mapfile -t entries < <(random "$seed")
	compare "${entries[@]}"
	[ "$ours" = "$theirs" ] || differ+=("$seed: ${entries[*]}" "$(diff <(echo "$ours") <(echo "$theirs"))")
done
is "policies at random" "${differ[*]}" ""
exec 8>&-
umount "$ws"/{flags,over,file/host,read,shared} 2>/dev/null
finish
