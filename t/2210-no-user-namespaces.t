#!/bin/bash
# Where user namespaces cannot be made: Landlock for what it can express, with
# the broker for the rest; and where nobody can be asked about system calls
# either no sandbox, said and refused, never degraded silently.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
need USERNS
need LANDLOCK 3

# A namespace that allows no further ones, with mounts to play with: runs the
# script $1 as its root, then sbx-select on the document.
cat >"$scratch/without" <<'END'
#!/bin/bash
eval "$1"
echo 0 >/proc/sys/user/max_user_namespaces || exit 99
shift
exec "$@"
END
chmod +x "$scratch/without"
flags=-Urm
without() {
	local script=$1
	shift
	unshare $flags "$scratch/without" "$script" "$@"
}
without : true || skip_all "max_user_namespaces cannot be set here"

# Somebody listens to system calls already: there can be no broker.
alone=("$TRY" listened)

# landlocked FILTER [SCRIPT]: "status type backend" and the document in $out
landlocked() {
	doc "$approved | $1" >"$scratch/doc"
	ran="sbx-select <$(cat "$scratch/doc") after: ${2:-:}"
	out=$(without "${2:-:}" ${alone[@]+"${alone[@]}"} "$SBX/sbx-select" <"$scratch/doc" 2>"$scratch/.err")
	status=$?
	err=$(cat "$scratch/.err")
	echo "$out" >"$scratch/.out"
	result="$status $(field '"\(.sandbox.type) \(.sandbox.backend)"')"
}
lost() { field '[.sandbox.lost[].guarantee] | join(" ")'; }
fs() { printf '.policy.permissions.fs = [{path: "/", access: "read"}'; printf ', {path: "%s", access: "%s"}' "$@"; printf ']'; }

fits="0 linux-seccomp landlock"
unfit="0 none null"

landlocked '.'
is "control: a plain writable root fits Landlock" "$result" "$fits"
is "... what Landlock leaves open is listed" "$(lost)" "process-isolation ipc-isolation file-metadata"
is "... user namespaces are said to be missing" "$(field .sandbox.capabilities.userns)" false
landlocked '.policy.permissions.network = "on"'
is "network on fits" "$result" "$fits"
like "... and Unix sockets are open before ABI 9" "$(lost) $("$TRY" landlock-abi)" \
	'unix-sockets| (9|[1-9][0-9]+)$'
landlocked '.policy.permissions.fs = [{path: "/usr", access: "read"}]'
is "restricted reading fits" "$result" "$fits"
like "... but stat() sees more" "$(lost)" 'hidden-names'

landlocked "$(fs "$ws" write "$ws/.git" read)"
is "a protected name that does not exist does not fit" "$result $(lost)" "$unfit protected-paths"
like "... the path is named" "$(field '.sandbox.lost[0].why')" "$ws/.git"
like "... with a cure" "$(field '.sandbox.lost[0].cure')" .
"$SBX/sbx-wrap" <<<"$out" >"$scratch/wrapped" 2>"$scratch/.err"
is "... and sbx-wrap refuses it" "$? $(jq -r '"\(.error.exit) \(.exec)"' "$scratch/wrapped")" "4 4 null"
like "... naming the guarantee" "$(cat "$scratch/.err")" '^sbx-wrap: no sandbox: protected-paths: '
jq -c '.approval.grant = {sandbox: "none"} | .approval.decision = "approved"' <<<"$out" |
	"$SBX/sbx-wrap" >"$scratch/wrapped"
is "... unless a run without a sandbox was granted" "$? $(jq -rc .exec.argv "$scratch/wrapped")" \
	'0 ["make","test"]'

landlocked "$(fs "$ws" write "$ws/.git" read) | .command.preference = \"require\""
is "required: an error" "$status $(field '"\(.error.code) \(.error.exit) \(.sandbox)"')" \
	"4 no-sandbox 4 null"
like "... that says what is in the way" "$err" '^sbx-select: a sandbox is required .*max_user_namespaces'
landlocked '.policy.sandbox_policy.type = "danger-full-access" |
	.policy.permissions.fs = [{path: "/", access: "write"}, {path: "/etc", access: "none"}] |
	.command.preference = "require"'
is "required under danger-full-access: an error too" "$status" 4

mkdir "$ws/secret" "$ws/.git" "$ws/deep" "$ws/deep/sub" "$ws/deep/sub/.git"
landlocked "$(fs "$ws/secret" none)"
is "a hidden path does not fit" "$result $(lost)" "$unfit hidden-paths"
landlocked '.policy.permissions.network = "loopback" | del(.policy.loopback)'
if [ "$(grep -c : /proc/net/dev)" -gt 1 ]; then
	is "loopback does not fit" "$result $(lost)" "$unfit private-loopback"
else
	skip "loopback does not fit" "no other network interface here"
fi
landlocked '.policy |= (.permissions.network = "loopback" | .loopback = "optional")'
is "a loopback that nobody asked for is no obstacle" "$result" "$fits"
is "... and the network is off" "$("$SBX/sbx-wrap" <<<"$out" | jq -r '.exec.argv[2] | fromjson.permissions.network')" off

# What the list says is so: Landlock alone does not hold metadata.
landlocked '.'
touch "$outside/mine"
chmod 644 "$outside/mine"
jq -c '.command.argv = ["chmod", "600", $f]' --arg f "$outside/mine" <<<"$out" |
	"$SBX/sbx-wrap" >"$scratch/wrapped"
without : "$SBX/sbx-run" --exec <"$scratch/wrapped" >/dev/null 2>&1
case $(stat -c %a "$outside/mine") in
600) like "file metadata is open, and listed as lost" "$(lost)" file-metadata ;;
*) pass "file metadata holds" ;;
esac

# The surroundings already hold it.
flags=-Urmn
landlocked '.policy.permissions.network = "loopback"'
is "loopback fits where there is no other interface" "$result" "$fits"
flags=-Urm

ro() { printf 'mount --bind %q %q && mount -o remount,bind,ro %q %q || exit 98; ' "$1" "$1" "$1" "$1"; }
pin() { printf 'mount --bind %q %q || exit 98; ' "$1" "$1"; }
git="$(fs "$ws" write "$ws/.git" read)"
deep="$(fs "$ws" write "$ws/deep/sub/.git" read)"

landlocked "$git"
is "an existing protected name does not fit by itself" "$result" "$unfit"
landlocked "$git" "$(ro "$ws/.git")"
is "a read-only mount point does" "$result" "$fits"
landlocked "$git" "$(pin "$ws/.git")"
is "a writable mount point does not" "$result" "$unfit"
landlocked "$git" "$(ro "$ws/.git") mount -t tmpfs none $ws/.git; mkdir $ws/.git/hooks;
	mount -o remount,bind,ro $ws/.git; mount -t tmpfs none $ws/.git/hooks"
is "a read-only mount with a writable one below does not" "$result" "$unfit"
landlocked "$git" "$(ro "$ws")"
is "a root that is read-only already needs no carve-out" "$result" "$fits"
landlocked "$(fs "$ws" write "$ws/.codex" read)" "$(ro "$ws")"
is "... nor for a name that is missing" "$result" "$fits"
landlocked "$deep" "$(ro "$ws/deep/sub/.git")"
is "a directory above that can be renamed away: does not fit" "$result" "$unfit"
landlocked "$deep" "$(pin "$ws/deep/sub") $(ro "$ws/deep/sub/.git")"
is "... one of two pinned is not enough" "$result" "$unfit"
landlocked "$deep" "$(pin "$ws/deep") $(pin "$ws/deep/sub") $(ro "$ws/deep/sub/.git")"
is "... all of them pinned: fits" "$result" "$fits"
ln -s "$outside" "$ws/link"
landlocked "$(fs "$ws" write "$ws/link/x" read)" "$(ro "$outside")"
is "through a link that can be replaced: does not fit" "$result" "$unfit"

touch "$ws/secret/key"
landlocked "$(fs "$ws/secret" none)" "$(ro "$ws/secret")"
is "a hidden path that can be read does not fit" "$result" "$unfit"
landlocked "$(fs "$ws/secret" none)" "mount -t tmpfs none $ws/secret;
	mount -o remount,bind,ro $ws/secret"
is "an empty read-only mask on a path that stays does" "$result" "$fits"
landlocked "$(fs "$ws" write "$ws/secret" none)" "mount -t tmpfs none $ws/secret"
is "an empty mask that can be written to does not" "$result" "$unfit"
landlocked "$(fs "$ws/nothing" none)" "$(ro "$ws")"
is "a hidden path that is missing does not: it may come" "$result" "$unfit"

# With a broker all of it fits, and what that loses is said.
kept=("${alone[@]}")
alone=()
landlocked '.'
like "what fits Landlock needs no broker" "$(field .sandbox.reason)" 'fits Landlock$'
landlocked "$git"
is "a protected name fits with the broker" "$result" "$fits"
like "... which is said" "$(field .sandbox.reason)" 'the broker grants'
is "... and it holds metadata too" "$(lost)" "process-isolation ipc-isolation"
landlocked "$(fs "$ws/secret" none)"
is "a hidden path fits" "$result" "$fits"
is "... and what can be seen of it is listed" "$(lost)" \
	"process-isolation ipc-isolation hidden-names"
landlocked "$(fs "$ws" write "$ws/secret" none)"
is "... and in a writable place, that nothing new is executed beside it" "$(lost)" \
	"process-isolation ipc-isolation hidden-names new-programs"
landlocked "$deep"
is "a directory above that can be renamed away fits" "$result" "$fits"
if have ROOT; then
	# As root, who may mount there without a namespace of users.
	mkdir -p "$scratch/kernel/yama"
	cp /proc/sys/kernel/osrelease "$scratch/kernel/"
	for scope in 1 2 3; do
		echo "$scope" >"$scratch/kernel/yama/ptrace_scope"
		landlocked "$git" "mount --bind $scratch/kernel /proc/sys/kernel"
		case $scope in
		1) is "Yama that lets parents look fits" "$result" "$fits" ;;
		*)
			is "Yama that lets nobody look does not ($scope)" "$result" "$unfit"
			like "... and is named" "$(field '.sandbox.lost[0].why')" 'yama.ptrace_scope'
			;;
		esac
	done
fi
alone=("${kept[@]}")

# Inside a sandbox of ours, which is such a surrounding.
nested() {
	# Without /tmp: other programs come and go there, repositories and all.
	# Nor a home: its caches are copies, which only mounts can show.
	local -x HOME=/nonexistent
	local flags=(-c sandbox_workspace_write.exclude_slash_tmp=true -a never -C "$ws")
	out=$("$SBX/sbx-policy" -s "$1" "${flags[@]}" -- true 2>/dev/null | "$SBX/sbx-approve" |
		"$SBX/sbx-run" -s workspace-write "${flags[@]}" -- "$SBX/sbx-select" 2>"$scratch/.err")
	echo "$out" >"$scratch/.out"
	result=$(field '"\(.sandbox.type) \(.sandbox.backend)"')
	err=$(cat "$scratch/.err")
}
rm -rf "$ws/deep" "$ws/link"
nested workspace-write
is "workspace-write in workspace-write fits" "$result $err" "linux-seccomp landlock "
if [ -z "$(unreached_mounts)" ]; then
	is "... and the outer mounts hold metadata too" "$(lost)" "process-isolation ipc-isolation"
else
	skip "... and the outer mounts hold metadata too" "mounts that this user cannot reach: a container runs"
fi
nested read-only
is "read-only in workspace-write fits" "$result" "linux-seccomp landlock"
unlike "... and where it writes nothing, it changes no metadata either" "$(lost)" file-metadata

# The system's bwrap may be allowed what we are not.
fake() { printf '#!/bin/bash\n%s\n' "$1" >"$scratch/bwrap"; chmod +x "$scratch/bwrap"; }
if [ -e /usr/bin/bwrap ]; then
	swap="mount --bind $scratch/bwrap /usr/bin/bwrap"
	fake 'env >"${0%/*}/none" 2>/dev/null; [ -z "${MARK-}" ] && [ "$*" = "--unshare-user --ro-bind / / -- /bin/true" ]'
	export MARK=1
	landlocked "$git" "$swap"
	is "a bwrap of the system that works is used, and gets nothing of our environment" \
		"$result" "0 linux-seccomp bubblewrap"
	landlocked "$git | .policy.sbx = {bwrap: \"vendored\"}" "$swap"
	is "... unless the vendored one is asked for" "$result" "$unfit"
	fake 'exit 1'
	landlocked "$git" "$swap"
	is "one that fails is not used" "$result" "$unfit"
	fake 'exec sleep 30'
	start=$SECONDS
	landlocked "$git" "$swap"
	is "one that hangs is not used" "$result" "$unfit"
	ok "... and is not waited for" [ $((SECONDS - start)) -lt 10 ]
else
	skip "the system's bwrap" "there is none"
fi

finish
