#!/bin/bash
# The mounts that bubblewrap leaves to us are those that it would have made.
. "${0%/*}/lib/lib.sh"
need USERNS

export HOME=/nonexistent CODEX_HOME=$scratch/codex
mkdir -p "$CODEX_HOME" "$ws"/{,closed/again/,deep/er/}{.git/{refs,objects},.agents,.codex} "$ws/hidden"
echo 'ref: refs/heads/main' | tee "$ws/.git/HEAD" >"$ws/deep/er/.git/HEAD"
{
	echo '[permissions.some.filesystem]'
	echo '":root" = "read"'
	echo '[permissions.some.filesystem.":workspace_roots"]'
	echo '"." = "write"'
	echo '"closed" = "read"'
	echo '"closed/again" = "write"'
	echo '"hidden" = "none"'
} >"$CODEX_HOME/config.toml"
box=("$SBX/sbx-run" -a never -P some -C "$ws")

# table: what is mounted where, with which flags; how it spreads and numbers are not compared.
table=(awk '{ print $4, $5, $6 }' /proc/self/mountinfo)
run "${box[@]}" -- "${table[@]}"
sort <<<"$out" >"$scratch/ours"
mapfile -t argv < <("${box[@]}" --dry-run -- true | jq -r '.exec.argv[1:][]')
mapfile -t -d '' bwrap < <("$SBX/sbx-linux-sandbox" --print-args "${argv[@]}")
(exec -a sbx-bwrap "$SBX/sbx-linux-sandbox" "${bwrap[@]}" "${table[@]}") | sort >"$scratch/theirs"
ok "control: it has some" grep -q " $ws/closed/again rw," "$scratch/theirs"
# Queues lose more rights in ours, and devices are sealed.  Mounts of containers come and go,
# and bubblewrap leaves writable what only root can look up.
mine() { grep -vE ' /dev|/containers/' "$scratch/$1"; }
is "each is the same" "$(mine ours)" "$(mine theirs)"

# Where something is reopened in what is hidden, bubblewrap makes the places.
printf '"hidden/open" = "write"\n' >>"$CODEX_HOME/config.toml"
mkdir "$ws/hidden/open"
run "${box[@]}" -- sh -c "ls '$ws/hidden'; : >'$ws/hidden/open/x'"
is "what is reopened has a place" "$status $(ls "$ws/hidden/open")" "0 x"
finish
