#!/bin/bash
# What a ~/.codex says about roots and sets means here what it means there.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"

# A nested table leaves the place itself as the extended set has it.
echo classified >"$ws/.env"
config '[permissions.x]' 'extends = ":workspace"' \
	'[permissions.x.filesystem.":workspace_roots"]' '".env" = "deny"'
policy -P x
entry_is "$ws" write
entry_is "$ws/.env" none
is "the place itself is the extended set's word" \
	"$(ask '[.policy.sources.fs[] | select(.path == $p) | .source][0]' --arg p "$ws")" workspace
config '[permissions.x]' 'extends = ":workspace"' \
	'[permissions.x.filesystem.":workspace_roots"]' '"." = "read"' '".env" = "deny"'
policy -P x
isnt "its own word about the place counts" "$(entry "$ws")" write
config '[permissions.a]' 'extends = ":workspace"' '[permissions.a.filesystem.":workspace_roots"]' '"one" = "deny"' \
	'[permissions.x]' 'extends = "a"' '[permissions.x.filesystem.":workspace_roots"]' '"two" = "read"'
policy -P x
is "over several" "$(entry "$ws") $(entry "$ws/one") $(entry "$ws/two")" "write none read"

# :workspace is a set of its own.
mkdir "$scratch/more"
table=('[sandbox_workspace_write]' 'network_access = true' 'exclude_slash_tmp = true' "writable_roots = [\"$scratch/more\"]")
config 'sandbox_mode = "workspace-write"' "${table[@]}"
policy
is "control: the mode takes its table" "$(entry "$scratch/more") $(entry /tmp) $(ask .policy.permissions.network)" "write absent on"
config 'default_permissions = ":workspace"' "${table[@]}"
policy
is ":workspace does not" "$(entry "$scratch/more") $(entry /tmp) $(ask .policy.permissions.network)" "absent write loopback"
config "${table[@]}"
policy -P :workspace
is "nor does -P :workspace" "$(entry "$scratch/more") $(entry /tmp) $(ask .policy.permissions.network)" "absent write loopback"
policy -P :workspace --network on
is "what is asked for beside it counts" "$(ask .policy.permissions.network)" on

# Roots of the configuration.
config 'sandbox_mode = "workspace-write"' '[sandbox_workspace_write]' "writable_roots = [\"$scratch/none\", \"$scratch/more\"]"
policy
is "a root that is not there: the others count" "$status $(entry "$scratch/none") $(entry "$scratch/more")" "0 absent write"
like "and a line says so" "$err" "config.toml:3: .*\"$scratch/none\": no such directory; not made writable"
mkdir "$scratch/beside"
config 'sandbox_mode = "workspace-write"' '[sandbox_workspace_write]' 'writable_roots = ["../beside", "."]'
policy
is "a relative one is of the workspace" "$status $(entry "$scratch/beside")" "0 write"
(cd / && "$SBX/sbx-policy" -C "$ws" -- true) >"$scratch/.out"
is "wherever it is asked from" "$(entry "$scratch/beside")" write
echo x >"$scratch/file"
config 'sandbox_mode = "workspace-write"' '[sandbox_workspace_write]' "writable_roots = [\"$scratch/file\"]"
policy
is "what is no directory is refused" "$status" 3
policy -s workspace-write -c 'sandbox_workspace_write.writable_roots=[]' --add-dir "$scratch/none"
isnt "an option that names nothing is refused as before" "$status" 0

# Reading by way of a link of the top level is no denial.
need USERNS
need OBSERVER
[ -L /lib ] || skip_all "this machine has no merged /usr"
config '[permissions.x.filesystem]' '":minimal" = "read"' '":workspace_roots" = "write"'
cp /usr/bin/env "$ws/env"
run "$SBX/sbx-run" -C "$ws" -P x -a never --json -- sh -c './env true && cat /lib/os-release'
is "a dynamic program runs under restricted reading" "$(jq -r '.result.exit_code' "$scratch/.out")" 0
is "and nothing of it is a denial" "$(jq -c '.result.denials' "$scratch/.out")" "[]"
mkdir "$outside/hidden"
ln -s /etc/passwd "$outside/hidden/link"
run "$SBX/sbx-run" -C "$ws" -P x -a never --json -- cat "$outside/hidden/link"
is "control: a link in what is hidden is one" "$(jq -c '[.result.denials[] | [.op, .path, .grant]]' "$scratch/.out")" \
	"[[\"read\",\"$outside/hidden/link\",null]]"
finish
