#!/bin/bash
# Writable roots: which directories, from where, and what is refused.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"

mkdir "$scratch/more" "$ws/below" "$scratch/-dash"
ln -s more "$scratch/link"
: >"$scratch/file"

policy_ww --add-dir "$scratch/more" --add-dir "$scratch/-dash"
entry_is "$scratch/more" write
entry_is "$scratch/-dash" write
is "the legacy form names what was asked for" "$(ask .policy.sandbox_policy.writable_roots)" \
	"[\"$scratch/-dash\",\"$scratch/more\"]"
is "and so do the sources" \
	"$(ask '.policy.sources.writable_roots[] | select(.root == $p) | .source' --arg p "$scratch/more")" "flag --add-dir"
is "roots with their carve-outs" \
	"$(ask '.policy.writable_roots[] | select(.root == $p)' --arg p "$scratch/more")" \
	"{\"root\":\"$scratch/more\",\"read_only_subpaths\":[\"$scratch/more/.agents\",\"$scratch/more/.codex\",\"$scratch/more/.git\"]}"

policy_ww --add-dir "$scratch/link"
entry_is "$scratch/more" write
entry_is "$scratch/link" absent
run env -C "$scratch" "$SBX/sbx-policy" -s workspace-write --add-dir -dash -C ws -- true
is "relative paths, and one that begins with a dash" "$(entry "$scratch/-dash")$(entry "$ws")" writewrite
policy_ww --add-dir "$ws/below"
is "a root inside a root is not listed twice" "$(ask '[.policy.writable_roots[].root]')" "[\"/tmp\",\"$ws\"]"
policy_ww -c "sandbox_workspace_write.writable_roots=[\"$scratch/more\", '$scratch/-dash']"
is "roots by key" "$(ask .policy.sandbox_policy.writable_roots)" "[\"$scratch/-dash\",\"$scratch/more\"]"
policy_ww -c 'sandbox_workspace_write.writable_roots=["more"]'
is "a relative root by key that is not there" "$status $(ask .policy.sandbox_policy.writable_roots)" "0 []"
like "... is said" "$err" 'no such directory; not made writable'
mkdir "$ws/more"
policy_ww -c 'sandbox_workspace_write.writable_roots=["more"]'
is "... and is below the workspace" "$(ask .policy.sandbox_policy.writable_roots)" "[\"$ws/more\"]"
rmdir "$ws/more"

policy_ww --add-dir "$scratch/none"
is "a missing root" "$status" 3
like "a missing root: the line" "$err" 'add-dir: ".*/none": no such directory'
policy_ww --add-dir "$scratch/file"
like "a file as root" "$status $err" '^3 .*not a directory'
policy_ww --add-dir /
like "/ as root" "$status $err" '^3 .*danger-full-access'
policy --add-dir "$scratch/more"
like "--add-dir needs workspace-write" "$status $err" '^2 .*workspace-write'
policy -s danger-full-access --add-dir "$scratch/more"
is "--add-dir with danger-full-access" "$status" 2

policy_ww -c sandbox_workspace_write.exclude_slash_tmp=true
entry_is /tmp absent
is "exclude_slash_tmp is said" "$(ask .policy.sandbox_policy.exclude_slash_tmp)" true
policy_ww
entry_is /tmp write

run "$SBX/sbx-policy" -C / -s workspace-write -- true
like "the whole file system is no workspace" "$status $err" '^3 .*-C.*danger-full-access'
is "and the document says so" "$(ask '[.error.exit,.policy]')" '[3,null]'
run "$SBX/sbx-policy" -C / -s read-only -- true
is "control: read-only in /" "$status" 0

# The suite itself and its settings stay out of reach.
mkdir -p "$ws/tools" "$ws/home"
cp "$SBX/sbx-policy" "$ws/tools/"
run env HOME="$ws/home" "$ws/tools/sbx-policy" -C "$ws" -s workspace-write -- true
entry_is "$ws/tools" read
entry_is "$ws/home/.codex" read
mkdir -p "$scratch/more/settings"
run env CODEX_HOME="$scratch/more/settings" "$SBX/sbx-policy" -C "$ws" -s workspace-write --add-dir "$scratch/more" -- true
like "settings in a writable root are not believed" "$status $err" '^3 .*CODEX_HOME.*the sandbox can write it'
mv "$scratch/more/settings" "$scratch/more/real"
ln -s real "$scratch/more/settings"
run env CODEX_HOME="$scratch/more/settings" "$SBX/sbx-policy" -C "$ws" -s workspace-write --add-dir "$scratch/more" -- true
like "nor through a link there" "$status $err" '^3 .*CODEX_HOME'
run env CODEX_HOME="$scratch/more/real" "$SBX/sbx-policy" -C "$ws" -s workspace-write -- true
is "control: where no root is, they are" "$status" 0
run env CODEX_HOME="$ws/settings" "$SBX/sbx-policy" -C "$ws" -- true
like "settings in the project are not believed" "$status $err" '^3 .*CODEX_HOME.*inside the project'
run "$ws/tools/sbx-policy" -C "$ws/tools" -s workspace-write -- true
like "the directory of the programs is no root" "$status $err" '^3 .*sbx programs'
mkdir -p "$scratch/own/.codex"
run env HOME="$scratch/own" "$SBX/sbx-policy" -C "$scratch/own/.codex" -s workspace-write -- true
like "nor that of the settings" "$status $err" '^3 .*configuration'
run env HOME="$scratch/own" "$SBX/sbx-policy" -C "$scratch/own/.codex" -s read-only -- true
is "control: read-only there" "$status" 0
finish
