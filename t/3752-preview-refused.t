#!/bin/bash
# Where no copy can be shown, a preview is refused in one line before anything runs; it is
# never a run without one.
. "${0%/*}/lib/lib.sh"
need USERNS
need OVERLAY
export HOME=$scratch/home
mkdir "$HOME"

# refuses DESCRIPTION PATTERN ARG...: nothing runs, one line, nothing is kept
refuses() {
	local what=$1 pattern=$2
	shift 2
	run "$@" sh -c 'echo ran; echo x >ran'
	is "$what: nothing runs" "$status $out" "125 "
	like "$what: one line says why" "$err" "^sbx-run: .*$pattern"
	is "$what: only one" "$(wc -l <<<"$err")" 1
	ok "$what: nothing is changed" absent "$ws/ran"
}
try=("$SBX/sbx-run" --preview -a never -C "$ws")
run "${try[@]}" -- sh -c 'echo ran; echo x >ran'
is "control: it can be had here" "$status $out" "0 ran"

refuses "without a sandbox" "contradict|without a sandbox" "${try[@]}" -s danger-full-access --
printf '%s\n' '#!/bin/sh' 'cat >/dev/null' "echo '{\"decision\":\"approved\"}'" >"$scratch/yes"
chmod +x "$scratch/yes"
refuses "approved to run without a sandbox" "preview: .*forbids" "${try[@]}" -a on-request --approver "$scratch/yes" --forbid --
refuses "the system's bubblewrap" "preview: cannot be combined" "${try[@]}" -c 'sbx.bwrap="system"' --
refuses "sandboxes of the command's own" "nested" "${try[@]}" -c sbx.nested=true --
refuses "a workspace that holds what is kept" "holds the directory that sbx keeps" \
	env XDG_STATE_HOME="$ws/state" "${try[@]}" --
remove "$ws/state"
mkdir "$scratch/none"
refuses "/tmp of the host" "preview: " "${try[@]}" --tmp shared --network on --
if "$TRY" docker true 2>/dev/null; then
	refuses "without mounts" "preview: .*needs a sandbox with user namespaces" "$TRY" docker "${try[@]}" --
fi
if have ROOT; then
	echo x >"$ws/foreign"
	chown 12345 "$ws/foreign"
	refuses "a file of somebody else" "foreign\": belongs to another user" "${try[@]}" --
	rm "$ws/foreign"
	mkdir "$ws/mounted"
	if have MOUNTS; then
		refuses "a mount below" "mounted\": another file system is mounted" unshare --mount --propagation private \
			sh -c 'mount -t tmpfs none "$0" && exec "$@"' "$ws/mounted" "${try[@]}" --
		mkdir "$scratch/over" "$scratch/over/l" "$scratch/over/u" "$scratch/over/w" "$scratch/over/m"
		refuses "an overlay to keep it on" "preview: a copy of the writable roots cannot be shown here" \
			unshare --mount --propagation private sh -c 'mount -t overlay none -o \
			lowerdir="$0/l",upperdir="$0/u",workdir="$0/w" "$0/m" && exec "$@"' "$scratch/over" \
			env XDG_STATE_HOME="$scratch/over/m" "${try[@]}" --
	fi
fi
is "nothing was kept of them" "$("$SBX/sbx-run" --changes | wc -l)" 1

# Something that is mounted in the home directory is in the way of caches at most.
if have MOUNTS; then
	for home in a-home z-home; do
		mkdir -p "$scratch/$home/volume" "$scratch/$home/.cache"
		run unshare --mount --propagation private sh -c 'mount -t tmpfs none "$0/volume" && HOME=$0 exec "$@"' \
			"$scratch/$home" "${try[@]}" -- sh -c 'echo ran; echo x >ran'
		is "a mount below the $home: it can be had all the same" "$status $out" "0 ran"
		ok "... without an effect" absent "$ws/ran"
	done
fi

# The helper does not believe one half.
run "$SBX/sbx-linux-sandbox" --policy '{"permissions":{"fs":[{"path":"/","access":"read"}],"network":"off"},"preview":true}' --cwd / -- true
like "a policy without a place" "$status $err" "^125 .*do not agree"
mkdir -m 700 "$scratch/place"
run "$SBX/sbx-linux-sandbox" --preview "$scratch/place" --policy '{"permissions":{"fs":[{"path":"/","access":"read"}],"network":"off"}}' --cwd / -- true
like "a place without a policy" "$status $err" "^125 .*do not agree"

# Wrong use.
for wrong in "--apply x --discard y" "--force --changes" "--discard" "--changes --preview" "--apply x --json -s read-only" "--preview --learn -- true"; do
	# shellcheck disable=SC2086
	run "$SBX/sbx-run" $wrong
	is "wrong: $wrong" "$status" 125
done
finish
