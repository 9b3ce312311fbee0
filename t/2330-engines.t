#!/bin/bash
# The same policy for engines: a bundle for an OCI runtime, a Pod, a unit.  What
# they cannot hold is named and needs consent; what they have no form for is refused.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
anyone

# The workspace is not below /tmp, which a unit could not show.
mkdir "$ws/.git" "$ws/.agents" "$ws/.codex"
prepare() { # PLATFORM [OPTION...] -- COMMAND...
	platform=$1
	shift
	(cd "$ws" && "$SBX/sbx-policy" -s workspace-write -a never "$@") |
		"$SBX/sbx-approve" 2>/dev/null | "$SBX/sbx-select" --platform "$platform" 2>/dev/null >"$scratch/selected"
}
wrap() { # [FILTER] [OPTION...]
	local filter=${1:-.}
	shift
	jq -c "$filter" "$scratch/selected" >"$scratch/.filtered"
	run "$SBX/sbx-wrap" --platform "$platform" "$@" <"$scratch/.filtered"
}
mount_of() { field ".exec.bundle.config.mounts[] | select(.destination == \"$1\") | $2"; }

prepare oci -- make -f 'a b' ''
is "oci: selected by its name" "$(jq -r '.sandbox | "\(.type) \(.backend)"' "$scratch/selected")" "oci-runtime oci"
wrap . --output "$scratch/bundle"
is "... and wrapped" "$status $err" "0 "
is "the command and its directory" "$(field '.exec.bundle.config.process | "\(.args | tojson) \(.cwd)"')" \
	"[\"make\",\"-f\",\"a b\",\"\"] $ws"
is "no privilege" "$(field '.exec.bundle.config.process | "\(.noNewPrivileges) \([.capabilities[][]] | length)"')" "true 0"
is "namespaces of its own" "$(field '[.exec.bundle.config.linux.namespaces[].type] - ["user"] | sort | join(" ")')" \
	"ipc mount network pid uts"
is "the workspace is written" "$(mount_of "$ws" '.options[1]')" rw
is "... its .git is read" "$(mount_of "$ws/.git" '.options[1:3] | join(" ")')" "ro rro"
is "... and comes after it" "$(field '[.exec.bundle.config.mounts[].destination] | index($ws) < index($ws + "/.git")' 2>/dev/null ||
	jq --arg ws "$ws" '[.exec.bundle.config.mounts[].destination] | index($ws) < index($ws + "/.git")' <<<"$out")" true
is "the rest is read" "$(mount_of /usr '.options[1:3] | join(" ")')" "ro rro"
is "/tmp is empty" "$(mount_of /tmp .type)" tmpfs
is "the files are written where --output says" "$(cd "$scratch/bundle" && echo *)" "config.json rootfs"
is "... the same" "$(jq -cS . "$scratch/bundle/config.json")" "$(jq -cS .exec.bundle.config <<<"$out")"
is "what starts it" "$(field '.exec.argv[:4] | join(" ")')" "crun run --bundle $scratch/bundle"
is "... with no variable of the command" "$(field '.exec.env | keys - ["HOME", "PATH", "XDG_RUNTIME_DIR"] | length')" 0
wrap . --output "$scratch/bundle"
is "a directory that is there is left alone" "$status $(field '.error.exit, .exec' | xargs)" "5 5 null"
ln -s "$ws" "$scratch/way"
for place in "$ws/bundle" "$scratch/way/bundle/" bundle; do
	run env -C "$ws" "$SBX/sbx-wrap" --platform oci --output "$place" <"$scratch/.filtered"
	is "... and none is made where the command could change it: ${place#"$scratch"}" \
		"$status $(field .exec) $([ -e "$ws/bundle" ] || echo nothing)" "2 null nothing"
done
wrap . --output "$ws/.git/bundle"
is "... but where it is read-only" "$status $(cd "$ws/.git" && echo *)" "0 bundle"
rm -r "$ws/.git/bundle"
wrap
is "without --output nothing is found by accident" "$(field '.exec.argv[3]')" /nonexistent
run "$SBX/sbx-run" --exec <<<"$out"
is "sbx-run runs no bundle" "$status" 125
like "... and says so" "$err" "cannot be run here"

# The filter is the one of the Linux helper.
wrap
is "native calls only" "$(field '.exec.bundle.config.linux.seccomp | "\(.defaultAction) \(.architectures | length)"')" "SCMP_ACT_ALLOW 1"
filter() { field "[.exec.bundle.config.linux.seccomp.syscalls[] | select(.names[0] == \"$1\")] | $2"; }
is "mount is refused" "$(filter mount '.[0].errnoRet')" 1
is "clone3 is not there" "$(filter clone3 '.[0].errnoRet')" 38
is "typing into a terminal is refused, by its low half" \
	"$(filter ioctl '[.[].args[0] | select(.valueTwo == 21522) | "\(.value) \(.op)"][0]')" "4294967295 SCMP_CMP_MASKED_EQ"
is "no rule looks at one argument twice, which runc reads as or" \
	"$(field '[.exec.bundle.config.linux.seccomp.syscalls[] | select(.args and (([.args[].index] | unique | length) != (.args | length)))] | length')" 0
loopback=$(filter socket length)
prepare oci --network off -- true
wrap
is "the network off is another filter" "$([ "$(filter socket length)" != "$loopback" ] && echo yes)" yes
prepare oci --network on -- true
wrap
is "the network on is the host's" "$(field '[.exec.bundle.config.linux.namespaces[].type] | index("network")')" null

# What cannot be held.
lost() { jq -r '[.sandbox.lost[].guarantee] | join(" ")' "$scratch/selected"; }
refused() { # WHAT NAME
	like "$1: named" "$(lost)" "(^| )$2( |\$)"
	wrap
	is "$1: refused" "$status $(field '.error.exit, .exec' | xargs)" "4 4 null"
	like "... with the option" "$err" "--accept-lost $2"
}
accepted() { # WHAT
	wrap
	is "$1: accepted" "$status $err" "0 "
}
rmdir "$ws/.codex"
prepare oci -- true
refused "a protected name that is missing" protected-paths
prepare oci --accept-lost protected-paths -- true
accepted "a protected name that is missing"
is "... and nothing is made there" "$(mount_of "$ws/.codex" . )$(cd "$ws" && echo .[!.]*)" ".agents .git"
mkdir "$ws/.codex"
prepare oci --hide "$ws/absent" -- true
refused "a hidden name that is missing" protected-paths
prepare oci --hide "$ws/absent" --accept-lost protected-paths -- true
accepted "a hidden name that is missing"
mkdir "$ws/.real"
rmdir "$ws/.git" && ln -s .real "$ws/.git"
prepare oci -- true
refused "a protected name that is a link" protected-paths
rm "$ws/.git" && mkdir -p "$ws/.git" "$ws/sub/dir/.git" "$ws/sub/dir/.agents" "$ws/sub/dir/.codex"
prepare oci -- true
refused "a repository below" pinned-paths
prepare oci --accept-lost pinned-paths -- true
accepted "a repository below"
is "... its directories keep their names" "$(mount_of "$ws/sub" '.options[1]')$(mount_of "$ws/sub/dir" '.options[1]')" rwrw
rm -r "$ws/sub"
prepare oci --allow-host example.org -- true
refused "hosts by name" hosts
prepare oci --timeout 3 -- true
refused "a time limit" time-limit
prepare oci --limit memory=1G,processes=50,cpu=1.5,files=2M -- true
if have ROOT; then
	wrap
	is "limits are in the bundle" "$(field '.exec.bundle.config | "\(.linux.resources | .pids.limit, .memory.limit, .memory.swap, .cpu.quota, .cpu.period) \(.process.rlimits[0].hard)"' | tr '\n' ' ')" \
		"50 2097152 1073741824 2097152 1073741824 2097152 150000 2097152 100000 2097152 "
else
	refused "limits without a cgroup" limits
fi
prepare oci --limit tmp=1M -- true
refused "a limit of /tmp" limits
prepare oci -c 'sandbox_workspace_write.unix_sockets=["/run/x.sock"]' -- true
refused "a listed socket" unix-sockets
prepare oci --timeout 3 --allow-host example.org --accept-lost hosts -- true
refused "one of two" time-limit
prepare oci --timeout 3 --allow-host example.org --accept-lost hosts --accept-lost time-limit -- true
accepted "two of two"
prepare oci --timeout 3 -- true
wrap '.approval.decision = "approved" | .approval.by = "user" | .approval.grant = {sandbox: "none"}'
is "an approval of no sandbox accepts all" "$status $err" "0 "
prepare oci -- true
wrap '.sandbox.lost += [{guarantee: "gravity", why: "w", cure: "c"}]'
is "what nobody knows is refused" "$status $(field '.error.code')" "4 lost"
wrap '.sandbox.lost = [] | .command.timeout_ms = 5'
is "what the document leaves out is found again" "$status $(field '.error.code')" "4 lost"
prepare oci -c sbx.nested=true -s read-only -- true
is "namespaces inside are never given" "$(jq -r .error.exit "$scratch/selected")" 4
prepare oci -s danger-full-access -- true
wrap . --output "$scratch/none"
is "no sandbox, no bundle" "$status $(field .exec) $([ -e "$scratch/none" ] || echo nothing)" "4 null nothing"

# Hidden, and reopened in what is hidden.
mkdir -p "$ws/vault/open" && echo s >"$ws/key"
prepare oci --hide "$ws/key" -- true
wrap
is "a hidden file is a device that cannot be opened" "$(mount_of "$ws/key" '"\(.source) \(.options | index("nodev") != null)"')" "/dev/null true"
wrap ".policy.permissions.fs += [{path: \"$ws/vault\", access: \"none\"}, {path: \"$ws/vault/open\", access: \"read\"}]"
is "a hidden directory is empty, and read-only" "$(mount_of "$ws/vault" '"\(.type) \(.options[0])"')" "tmpfs ro"
is "... what is reopened comes after it" "$(mount_of "$ws/vault/open" .type)" bind
wrap ".policy.permissions.fs += [{path: \"$ws/.git/../../x\", access: \"write\"}]"
is "a path that steps back" "$status $(field .exec)" "3 null"

# Links where something is mounted.
mkdir "$scratch/elsewhere" && ln -s "$scratch/elsewhere" "$ws/link"
wrap ".policy.permissions.fs += [{path: \"$ws/link/x\", access: \"write\"}]"
mkdir "$scratch/elsewhere/x"
wrap ".policy.permissions.fs += [{path: \"$ws/link/x\", access: \"write\"}]"
is "a root through a link" "$status $(field .exec)" "3 null"
like "... said" "$err" 'link/x": goes through a symbolic link'
wrap ".policy.permissions.fs += [{path: \"$ws/link\", access: \"write\"}]"
is "a root that is one" "$status $(field .exec)" "3 null"
for path in /proc/sys /dev /sys/fs; do
	wrap ".policy.permissions.fs += [{path: \"$path\", access: \"write\"}]"
	is "$path cannot be given" "$status $(field .exec)" "4 null"
done
wrap '.policy.permissions.fs[0].access = "write"'
is "/ cannot be given" "$status $(field .exec)" "4 null"

# Bytes that JSON and units have no form for.
for platform in oci kubernetes systemd; do
	options=(-c sandbox_workspace_write.exclude_slash_tmp=true --accept-lost network)
	[ $platform = kubernetes ] && image=(--image busybox) || image=()
	prepare "$platform" "${options[@]}" -- true $'a\xffb'
	wrap . ${image[@]+"${image[@]}"}
	is "$platform: an argument that is not UTF-8" "$status $(field '.error.code, .exec' | xargs)" "4 not-utf8 null"
	prepare "$platform" "${options[@]}" -- true
	wrap '.command.env = {ODD: {base64: "/w=="}, PATH: "/bin"}' "${image[@]}"
	is "$platform: a variable that is not" "$status $(field '.error.code, .exec' | xargs)" "4 not-utf8 null"
done
finish
