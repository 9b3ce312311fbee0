#!/bin/bash
# [permissions.NAME]: what each line of a set means.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"

# set_is LINE...: a set called x with these lines under filesystem
files() { config '[permissions.x.filesystem]' "$@"; }
px() { policy -P x "$@"; }
mkdir -p "$ws/src" "$ws/secret" "$scratch/data" "$HOME/notes" "$ws/.git"

files '":root" = "read"' '":workspace_roots" = "write"'
px
is "exit and silence" "$status$err" 0
entry_is / read
entry_is "$ws" write
entry_is "$ws/.git" read
entry_is "$ws/.codex" read
entry_is /tmp absent
is "the older form" "$(ask '.policy | [.sandbox_policy.type, .permission_set, .permissions.network]')" '["workspace-write","x","loopback"]'
is "every entry has its source" "$(ask '[.policy.sources.fs[] | select(.path == $p) | .source][0]' --arg p "$ws")" "workspace"
files '":root" = "read"'
px
is "a set that writes nothing" "$(mode)" read-only

files '":root" = "read"' '":tmpdir" = "write"' '":slash_tmp" = "write"' \
	"\"$scratch/data\" = \"write\"" '"~/notes" = "write"' "\"$ws/secret\" = \"none\""
px
entry_is /tmp write
entry_is "$scratch/data" write
entry_is "$HOME/notes" write
entry_is "$ws/secret" none
entry_is "$scratch/data/.git" read
is "the source of a line" "$(ask '[.policy.sources.fs[] | select(.path == $p) | .source][0]' --arg p "$scratch/data")" "$user:5"
is "writable_roots are derived" "$(ask '[.policy.writable_roots[].root] | sort')" "[\"/tmp\",\"$scratch/data\",\"$HOME/notes\"]"
run env TMPDIR=/ "$SBX/sbx-policy" -C "$ws" -P x -- true
is ":tmpdir does not widen" "$(entry /)" read
files '"~" = "read"' '":workspace_roots" = "deny"'
px
entry_is "$HOME" read
entry_is "$ws" none
like "a workspace that cannot be read is said" "$err" 'workspace .* cannot be read'

# Paths below.
files '":root" = "read"' '[permissions.x.filesystem.":workspace_roots"]' '"." = "write"' '"secret" = "none"' '".git/hooks" = "write"'
mkdir "$ws/.git/hooks"
px
entry_is "$ws" write
entry_is "$ws/secret" none
entry_is "$ws/.git" read
entry_is "$ws/.git/hooks" write
mkdir -p "$scratch/second/secret"
px --add-dir "$scratch/second"
entry_is "$scratch/second/secret" none
entry_is "$scratch/second" write
config '[permissions.x.filesystem]' '":workspace_roots" = "write"' '[permissions.x.workspace_roots]' "\"$scratch/second\" = true" "\"$scratch/data\" = false"
px
entry_is "$scratch/second" write
entry_is "$scratch/data" absent
files "\"$scratch/data\" = { \".\" = \"read\", \"x/y\" = \"none\" }" '":workspace_roots" = "read"'
px
entry_is "$scratch/data" read
entry_is "$scratch/data/x/y" none

# Presets and sockets.
mkdir -p "$HOME/.cache/pip"
ln -s "$scratch" "$HOME/elsewhere"
config '[permissions.x]' 'allow = ["cache:pip"]' 'unix_sockets = ["~/elsewhere/sock", "/run/x.sock"]' '[permissions.x.filesystem]' '":root" = "read"'
px
is "exit and silence" "$status$err" 0
entry_is "$HOME/.cache/pip" write
is "sockets by the names they lead to" "$(ask .policy.permissions.unix_sockets)" "[\"$scratch/sock\",\"$(realpath -m /run/x.sock)\"]"
is "the source of a preset" "$(ask '[.policy.sources.fs[] | select(.path == $p) | .source][0]' --arg p "$HOME/.cache/pip")" "$user:2: allow cache:pip"
run "$SBX/sbx-policy" -C "$ws" -P x --explain
like "... and sockets are in the tree" "$out" "unix_socket +$scratch/sock +.*config.toml:3"
for bad in 'allow = "git"' 'allow = ["nonsense"]' 'unix_sockets = ["relative"]' 'unix_sockets = ["/"]' 'unix_sockets = [1]'; do
	config '[permissions.x]' "$bad" '[permissions.x.filesystem]' '":root" = "read"'
	px
	is "refused: $bad" "$status" 3
done
config '[sandbox_workspace_write]' 'unix_sockets = ["/run/x.sock"]'
policy_ww
is "sockets of workspace-write" "$(ask '.policy.permissions.unix_sockets | length')" 1
policy -s read-only
is "... not of read-only" "$(ask '.policy.permissions.unix_sockets | length')" 0
rm -r "$HOME/.cache" "$HOME/elsewhere"

# Restricted reading.
files '":minimal" = "read"' '":workspace_roots" = "read"'
px
entry_is / absent
entry_is /usr read
entry_is /etc read
is "/bin counts as what it is" "$(entry "$(realpath /bin)")" "$([ "$(realpath /bin)" = /bin ] && echo read || echo absent)"
run "$SBX/sbx-policy" -C "$ws" -P x --check-path read /usr/bin/env "$ws/src" "$HOME/notes" /root
is "what can be read" "$(jq -sc '[.[].allowed]' "$scratch/.out")" '[true,true,false,false]'
if have USERNS; then
	box=("$SBX/sbx-run" -P x -a never -C "$ws" --)
	echo secret >"$HOME/notes/s"
	boxed cat "$ws/../home/notes/s"
	is "and really cannot" "$out" ""
	boxed sh -c 'echo works'
	is "control: programs run" "$out" works
	unboxed cat "$HOME/notes/s"
	is "control: it is there" "$out" secret
fi

# extends
config '[permissions.base]' 'extends = ":workspace"' '[permissions.base.filesystem]' "\"$scratch/data\" = \"write\"" "\"$ws/secret\" = \"none\"" \
	'[permissions.x]' 'extends = "base"' 'network = "loopback"' '[permissions.x.filesystem]' "\"$ws/secret\" = \"read\"" '":slash_tmp" = "read"'
px
entry_is "$scratch/data" write
entry_is "$ws/secret" read
entry_is /tmp read
entry_is "$ws" write
is "network" "$(ask '[.policy.permissions.network,.policy.sources.network]')" "[\"loopback\",\"$user:8\"]"
px --network off
is "the flag beats it" "$(ask .policy.permissions.network)" off
config '[permissions.x]' 'extends = ":read-only"' '[permissions.x.network]' 'enabled = true'
px
is "the other way to write it" "$(ask .policy.permissions.network)" on

# default_permissions, and who wins.
config 'default_permissions = "x"' '[permissions.x]' 'extends = ":workspace"'
policy
is "default_permissions" "$(ask '[.policy.permission_set,.policy.sources.permissions]')" "[\"x\",\"$user:1\"]"
policy -s read-only
is "--sandbox beats it" "$(ask '[.policy.permission_set,.policy.sandbox_policy.type]')" '[null,"read-only"]'
policy -P :read-only
is "a built-in name" "$(ask '[.policy.permission_set,.policy.sandbox_policy.type]')" '[null,"read-only"]'
config 'default_permissions = "x"' '[permissions.x]' 'extends = ":workspace"' '[profiles.p]' 'sandbox_mode = "read-only"'
policy -p p
is "a later layer's mode beats an earlier one's set" "$(mode)" read-only
config 'default_permissions = ":workspace"'
policy
is "a built-in default" "$(mode)" workspace-write

# What is passed on.
config '[permissions.x]' 'extends = ":read-only"' '[permissions.x.macos]' 'preferences = "readonly"' 'automation = ["com.example.a"]'
px
is "the part for macOS is passed on" "$(ask .policy.permissions.macos)" '{"preferences":"readonly","automation":["com.example.a"]}'

# wrong PATTERN LINE...
wrong() {
	local pattern=$1
	shift
	config "$@"
	px
	is "refused: ${*: -1}" "$status $(ask .policy)" "3 null"
	like "... said" "$err" "$pattern"
}
F='[permissions.x.filesystem]'
wrong "$user:2: .*expected read, write or deny" "$F" '"/x" = "maybe"'
wrong "$user:2: .*expected an absolute path" "$F" '"x" = "read"'
wrong "$user:2: .*without \"..\"" "$F" '":workspace_roots" = { "../x" = "write" }'
wrong "$user:2: .*without" "$F" '"/x/*/../y" = "none"'
wrong "$user:2: .*without" "$F" '"/x/../y" = "read"'
wrong "$user:2: .*only :workspace_roots" "$F" '":root" = { "x" = "write" }'
wrong "$user:2: .*pattern can only be denied" "$F" '"/x/*.txt" = "write"'
wrong "$user:2: .*can only be \"read\"" "$F" '":minimal" = "write"'
wrong "$user:2: .*from 1" "$F" 'glob_scan_max_depth = 0'
wrong "no such permission set" '[permissions.y]' 'description = "z"'
wrong "$user:2: .*no such permission set" '[permissions.x]' 'extends = "none"'
wrong "extends itself" '[permissions.x]' 'extends = "y"' '[permissions.y]' 'extends = "x"'
wrong "expected :read-only, :workspace" '[permissions.x]' 'extends = ":danger-full-access"'
wrong "expected off, loopback, hosts or on" '[permissions.x]' 'network = "yes"'
wrong "$user:2: " "$F" '":unknown" = "none"'
files '":unknown" = "write"' '":root" = "read"'
px
is "an unknown name that would grant is ignored" "$status" 0
like "... and said" "$err" ':unknown'
files '":root" = "read"' "\"$scratch/missing\" = \"write\"" '":workspace_roots" = { "." = "write", "new" = "write" }'
px
is "what does not exist is not made writable" "$(entry "$scratch/missing")" absent
like "... and said" "$err" "$user:3: .*missing.*does not exist"
policy -P x -s read-only
is "-P and -s" "$status" 2
files '":root" = "read"' "\"$scratch/data/**\" = \"write\""
px
entry_is "$scratch/data" write

# What keeps a missing path missing: the first directory on the way to it.
files '":root" = "read"' '":workspace_roots" = "write"' "\"$ws/new/dir/deep\" = \"read\"" "\"$ws/new/other\" = \"write\""
px
entry_is "$ws/new/dir/deep" read
entry_is "$ws/new" read
entry_is "$ws/new/dir" absent
is "... named by the line" "$(ask '[.policy.sources.fs[] | select(.path == $p) | .source][0]' --arg p "$ws/new")" "$user:4"
like "nothing is granted below it" "$err" "$user:5: .*new/other.*does not exist"
run "$SBX/sbx-policy" -C "$ws" -P x --check-path write "$ws/new" "$ws/new/x" "$ws/src/x"
is "--check-path knows" "$(jq -sc '[.[].allowed]' "$scratch/.out")" '[false,false,true]'
if have USERNS; then
	boxed sh -c 'mkdir new; mkdir src/made'
	is "and the sandbox does the same" "$(cd "$ws" && ls -d new src/made 2>/dev/null)" "src/made"
fi

# Links.
ln -s "$scratch/data" "$ws/link"
files '":root" = "read"' '":workspace_roots" = "write"' "\"$ws/link\" = \"none\""
px
entry_is "$scratch/data" none
entry_is "$ws/link" read
finish
