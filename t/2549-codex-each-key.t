#!/bin/bash
# Each key of codex's configuration that concerns a sandbox changes what happens:
# shown by what a command can do, or by what the next stage is given, with and without.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"
need USERNS
mkdir "$outside/more" "$scratch/tmpdir" "$ws/deep"
chmod 1777 "$scratch/tmpdir"
export TMPDIR=$scratch/tmpdir MY_TOKEN=t KEEP=k
echo classified >"$ws/deep/a.pem"
mkdir -p "$HOME/.codex/rules"

shown=
# each KEY: the rows that follow are about it
each() { key=$1 shown+=" $1"; }
# gives CONTROL WANTED PROBE LINE...: without the lines, and with them
gives() {
	local control=$1 wanted=$2 probe=$3
	shift 3
	printf '%s\n' "${base[@]}" >"$user"
	is "control: $key: $probe" "$($probe 2>&1)" "$control"
	printf '%s\n' "${instead[@]-${base[@]}}" "$@" >"$user"
	is "$key: $*" "$($probe 2>&1)" "$wanted"
	instead=("${base[@]}")
}
boxed_here() { "$SBX/sbx-run" -C "$ws" "${options[@]}" --report off -- sh -c "$1" - "${@:2}" 2>/dev/null | xargs; }
options=()
tries() { boxed_here 'echo x >"$1" && echo wrote || echo kept' "$1"; }
workspace() { tries "$ws/file"; }
more() { tries "$outside/more/file"; }
tmpdir() { tries "$TMPDIR/file"; }
slash_tmp() { tries /tmp/file; }
secret() { boxed_here 'cat "$1" || echo hidden' "$ws/deep/a.pem"; }
token() { boxed_here 'echo "${MY_TOKEN-none} ${KEEP-none} ${ADDED-none}"'; }
network() { boxed_here '[ "$(readlink /proc/self/ns/net)" = "$1" ] && echo "of the host" || echo "its own"; echo "${CODEX_SANDBOX_NETWORK_DISABLED-open}"' "$(readlink /proc/self/ns/net)"; }
hosts() { document | jq -r '.policy.permissions | [.network] + (.hosts // []) | join(" ")'; }
sockets() { document | jq -r '.policy.permissions.unix_sockets | join(" ")'; }
document() { "$SBX/sbx-policy" -C "$ws" "${options[@]}" -- "${command[@]-true}"; }
judged() { document | "$SBX/sbx-approve" 2>/dev/null | jq -r '"\(.approval.decision) \(.approval.by)"' | head -n 1; }
escalated() { options=(--escalate) && judged; }
unknown_command() { command=(make) && judged; }
refused() { document >/dev/null 2>&1 && echo taken || echo refused; }
on_windows() { document | "$SBX/sbx-approve" | jq -c '.command.cwd = "C:\\ws"' | "$SBX/sbx-select" --platform windows 2>/dev/null | jq -r '.sandbox.type // .error.code'; }
on_macos() { document | "$SBX/sbx-approve" | "$SBX/sbx-select" --platform macos | "$SBX/sbx-wrap" --platform macos | jq -r '.exec.argv | map(tostring) | join(" ")' | grep -c com.apple.CalendarAgent; }
explained() { "$SBX/sbx-policy" -C "$ws" "${options[@]}" --explain | grep -c "in its own words"; }

# Commands are in the sandbox, and nobody is asked.
base=('approval_policy = "never"')
instead=("${base[@]}")
each sandbox_mode
gives kept wrote workspace 'sandbox_mode = "workspace-write"'
each profile
gives kept wrote workspace 'profile = "b"' '[profiles.b]' 'sandbox_mode = "workspace-write"'
each default_permissions
gives kept wrote workspace 'default_permissions = ":workspace"'
each 'projects.*.trust_level'
gives kept wrote workspace "[projects.\"$ws\"]" 'trust_level = "trusted"'

base=('sandbox_mode = "workspace-write"')
instead=("${base[@]}")
each approval_policy
gives "skip policy" "denied none" unknown_command 'approval_policy = "untrusted"'
gives "denied none" "denied policy" escalated 'approval_policy = "never"'
gives "denied none" "denied policy" escalated 'approval_policy = { granular = { sandbox_approval = false, rules = true, mcp_elicitations = true } }'

base=('approval_policy = "never"' 'sandbox_mode = "workspace-write"')
instead=("${base[@]}")
each sandbox_workspace_write.writable_roots
gives kept wrote more '[sandbox_workspace_write]' "writable_roots = [\"$outside/more\"]"
each sandbox_workspace_write.network_access
gives "its own 1" "of the host open" network '[sandbox_workspace_write]' 'network_access = true'
each sandbox_workspace_write.exclude_tmpdir_env_var
gives wrote kept tmpdir '[sandbox_workspace_write]' 'exclude_tmpdir_env_var = true'
each sandbox_workspace_write.exclude_slash_tmp
gives wrote kept slash_tmp '[sandbox_workspace_write]' 'exclude_slash_tmp = true'

each shell_environment_policy.inherit
gives "none k none" "none none none" token '[shell_environment_policy]' 'inherit = "core"'
each shell_environment_policy.ignore_default_excludes
gives "none k none" "t k none" token '[shell_environment_policy]' 'ignore_default_excludes = true'
each shell_environment_policy.exclude
gives "none k none" "none none none" token '[shell_environment_policy]' 'exclude = ["KE*"]'
each shell_environment_policy.include_only
gives "none k none" "none none none" token '[shell_environment_policy]' 'include_only = ["PATH"]'
each 'shell_environment_policy.set.*'
gives "none k none" "none k a" token '[shell_environment_policy.set]' 'ADDED = "a"'
each shell_environment_policy.filters
gives "none k none" "none none none" token '[shell_environment_policy.filters]' '"keep" = "exclude"'

each windows.sandbox
gives none windows-restricted-token on_windows '[windows]' 'sandbox = "unelevated"'
each 'features.*'
for feature in enable_experimental_windows_sandbox experimental_windows_sandbox elevated_windows_sandbox; do
	gives none windows-restricted-token on_windows '[features]' "$feature = true"
done
base+=('[sandbox_workspace_write]' 'network_access = true')
instead=("${base[@]}")
gives taken refused refused '[features.network_proxy]' 'enabled = true'

# Permission sets.
options=(-P x)
base=('approval_policy = "never"' '[permissions.x]' 'extends = ":read-only"')
instead=("${base[@]}")
each 'permissions.*.extends'
instead=('approval_policy = "never"' '[permissions.x]')
gives kept wrote workspace 'extends = ":workspace"'
base=('approval_policy = "never"' '[permissions.x]' 'extends = ":workspace"')
instead=("${base[@]}")
each 'permissions.*.description'
gives 0 1 explained 'description = "in its own words"'
each 'permissions.*.filesystem'
gives classified hidden secret '[permissions.x.filesystem.":workspace_roots"]' '"deep/a.pem" = "deny"'
gives classified hidden secret '[permissions.x.filesystem.":workspace_roots"]' '"**/*.pem" = "deny"' '[permissions.x.filesystem]' 'glob_scan_max_depth = 2'
each 'permissions.*.workspace_roots.*'
gives kept wrote more '[permissions.x.workspace_roots]' "\"$outside/more\" = true"
each 'permissions.*.network'
gives "its own 1" "of the host open" network '[permissions.x.network]' 'enabled = true'
gives "loopback" "hosts a.example !b.example" hosts '[permissions.x.network]' 'enabled = true' 'domains = { "a.example" = "allow", "b.example" = "deny" }'
gives "" /run/x.sock sockets '[permissions.x.network]' 'enabled = true' 'unix_sockets = { "/run/x.sock" = "allow", "/run/y.sock" = "deny" }'
for line in 'mode = "limited"' 'mitm = {}' 'dangerously_allow_all_unix_sockets = true' 'enable_socks5_udp = true'; do
	gives taken refused refused '[permissions.x.network]' 'enabled = true' 'domains = { "a.example" = "allow" }' "$line"
done
each 'permissions.*.macos'
gives 0 1 on_macos '[permissions.x.macos]' 'macos_calendar = true'

# What is codex's own business is taken, and changes nothing here.
options=()
base=('approval_policy = "never"' 'sandbox_mode = "workspace-write"')
instead=("${base[@]}")
whole() { document | jq -cS '.policy | del(.sources)'; }
printf '%s\n' "${base[@]}" >"$user"
plain=$(whole)
each approvals_reviewer
gives "$plain" "$plain" whole 'approvals_reviewer = "auto_review"'
each shell_environment_policy.experimental_use_profile
gives "$plain" "$plain" whole '[shell_environment_policy]' 'experimental_use_profile = true'
each windows.sandbox_private_desktop
gives none none on_windows '[windows]' 'sandbox_private_desktop = true'

# None is missing: of what is read, the rest is sbx's own.
list=$ROOT/sbx-policy/config/known_keys.c
if [ -r "$list" ]; then
	missing=
	while read -r key; do
		[[ "$shown " == *" $key "* ]] || missing+=" $key"
	done < <(grep -oE '^	*\{"[^"]+"' "$list" | cut -d'"' -f2 |
		grep -vE '^(sbx|limits|requirements|hosts)\.|\.limits\.|^projects\..*\.(hosts|sbx_.*)$|^(sandbox_workspace_write|permissions\.\*)\.(unix_sockets|hosts|allow)$')
	is "every key of codex's that is read is shown" "$missing" ""
else
	skip "every key of codex's that is read is shown" "no sources in this copy; root checks the checkout"
fi
finish
