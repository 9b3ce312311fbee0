#!/bin/bash
# /etc/codex/requirements.toml and config.toml of an administrator.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"
need ROOT
unshare -m true 2>/dev/null || skip_all "no mount namespace of our own can be made here"

# /etc/codex of a private mount namespace; the machine's own stays as it is.
etc=$scratch/etc
mkdir -p "$etc/codex"
cp -a /etc/passwd /etc/group "$etc/" 2>/dev/null
requirements=$etc/codex/requirements.toml
name=/etc/codex/requirements.toml
# inside COMMAND...: where /etc is ours
inside() { run unshare -m --propagation private sh -c 'mount --bind "$1" /etc && shift && exec "$@"' sh "$etc" "$@"; }
with() { inside "$SBX/sbx-policy" -C "$ws" "$@" -- true; }
require() { printf '%s\n' "$@" >"$requirements"; }

# config.toml is below the user's.
echo 'sandbox_mode = "workspace-write"' >"$etc/codex/config.toml"
with
is "the machine's file counts" "$(ask '.policy | [.sandbox_policy.type, .sources.sandbox_mode]')" '["workspace-write","/etc/codex/config.toml:1"]'
config 'sandbox_mode = "read-only"'
with
is "below the user's" "$(mode)" read-only
config ''
chmod 666 "$etc/codex/config.toml"
with
is "one that anybody can write is refused" "$status" 3
rm "$etc/codex/config.toml"

require 'allowed_sandbox_modes = ["read-only", "workspace-write"]' 'allowed_approval_policies = ["untrusted", "on-request"]'
with -s workspace-write
is "an allowed mode" "$status $(mode)" "0 workspace-write"
with -s danger-full-access
like "another is an error" "$status $err" "^3 .*not among the allowed_sandbox_modes of $name"
with -a never
is "and so is another policy" "$status" 3
with -a on-failure
is "on-failure is on-request" "$status" 0
require 'allowed_permission_profiles = { ":read-only" = true, "mine" = true, ":workspace" = false }' \
	'[permissions.mine.filesystem]' '":root" = "read"' '":workspace_roots" = "write"'
with -P mine
is "a set of the administrator's" "$status $(entry "$ws")" "0 write"
config '[permissions.other]' 'extends = ":workspace"'
with -P other
like "a set that is not allowed" "$status $err" '^3 .*"other".*allowed_permission_profiles'
with -s workspace-write
is "nor is the mode by that name" "$status" 3
with -s read-only
is "control: another mode" "$status" 0
with -s danger-full-access
is "nor one that the list does not mention" "$status $(ask .policy)" "3 null"
config "$(trusted "$ws")"
with
is "what trust would give falls back" "$status $(mode)" "0 read-only"
require 'allowed_permission_profiles = { "mine" = true }' '[permissions.mine.filesystem]' '":minimal" = "read"' '":workspace_roots" = "write"'
config ''
with
like "without a choice nothing is chosen: every mode reads more than the set" "$status $err" '^3 .*choose one of them'
config '[permissions.mine.filesystem]' "\"$outside\" = \"write\"" '":root" = "read"' '[permissions.mine.network]' 'enabled = true'
with -P mine -c "permissions.mine.filesystem={\"$scratch\"=\"write\"}"
is "nobody adds a line to a set of the administrator's" "$status $(ask '.policy | [(.writable_roots | map(.root)), .permissions.network]')" "0 [[\"$ws\"],\"loopback\"]"
is "... nor makes it read more" "$(entry /)" absent
config ''
for more in '--network on' '--allow-host example.org' '--allow net:npm'; do
	read -ra words <<<"$more"
	with -P mine "${words[@]}"
	is "nor reaches more: $more" "$status $(ask .policy)" "3 null"
done
mine=('allowed_permission_profiles = { "mine" = true, ":read-only" = true }' 'default_permissions = "mine"' '[permissions.mine.filesystem]' '":minimal" = "read"' '":workspace_roots" = "write"')
require "${mine[@]}"
with
is "the administrator chooses for whoever does not" "$status $(entry "$ws") $(entry /)" "0 write absent"
with -s read-only
is "... and for nobody else" "$status $(mode) $(entry /)" "0 read-only read"
config 'sandbox_mode = "read-only"'
with
is "... also in a file" "$status $(mode)" "0 read-only"
config "$(trusted "$ws")"
with
is "trust is no choice" "$status $(entry /)" "0 absent"
config ''
require "${mine[@]/default_permissions = \"mine\"/default_permissions = \":workspace\"}"
with
like "what is chosen has to be allowed" "$status $err" '^3 .*allowed_permission_profiles'
require 'allowed_permission_profiles = { "mine" = true }' '[permissions.mine]' 'extends = "theirs"'
config '[permissions.theirs.filesystem]' '":root" = "write"'
with -P mine
like "nor stands below it" "$status $err" '^3 .*extends "theirs", which the administrator does not define'
config ''

# deny_read
mkdir -p "$scratch/secret/sub" "$HOME/keys"
echo classified >"$scratch/secret/key"
echo classified >"$scratch/secret/sub/key"
echo classified >"$ws/a.pem"
require '[permissions.filesystem]' "deny_read = [\"$scratch/secret\", \"~/keys\", \"**/*.pem\"]"
for mode in read-only workspace-write; do
	with -s $mode
	is "$mode: what nobody may read" "$status $(entry "$scratch/secret") $(entry "$HOME/keys") $(entry "$ws/a.pem")" "0 none none none"
done
registered=$(getent passwd "$(id -u)" | cut -d: -f6)
is "~ is where the user's home is registered, too" "$(entry "$(readlink -f "$registered")/keys")" none
config '[permissions.x.filesystem]' '":root" = "read"' "\"$scratch/secret/sub\" = \"write\""
with -P x
is "a set opens nothing below it again" "$(entry "$scratch/secret/sub")" none
config ''
with -s danger-full-access
like "not without a sandbox" "$status $err" '^3 .*deny_read .*needs a sandbox'
with -s external-sandbox
is "nor with somebody else's" "$status" 3
inside "$SBX/sbx-run" -C "$ws" -s workspace-write -a never -- cat "$scratch/secret/key"
unlike "it is not read" "$out" classified
cat >"$scratch/yes" <<END
#!/bin/sh
cat >/dev/null
echo '{"decision":"approved","grant":{"sandbox":"none","none":["$scratch/secret","$HOME/keys","$ws/a.pem","$ws/**/*.pem"]}}'
END
chmod 755 "$scratch/yes"
inside "$SBX/sbx-run" -C "$ws" -s workspace-write --escalate --approver "$scratch/yes" -- cat "$scratch/secret/key"
unlike "whoever approves what" "$out" classified
like "... and that is said" "$err" 'administrator'

# Rules
require '[rules]' 'prefix_rules = [{pattern = [{token = "git"}, {any_of = ["push", "fetch"]}], decision = "forbidden", justification = "not from here"},' \
	' {pattern = [{token = "make"}], decision = "prompt"}]'
judged() { inside bash -c '"$0/sbx-policy" -C "$1" -s workspace-write -- "${@:2}" | "$0/sbx-approve"' "$SBX" "$ws" "$@"; }
judged git push origin
is "forbidden" "$(ask '.approval | [.decision, .by]')" '["denied","rule"]'
like "... with its reason" "$err" 'not from here'
judged git status
is "control: another word" "$(ask .approval.decision)" skip
judged make
is "asked about" "$(ask '.approval | [.required, .by]')" '[true,"none"]'
mkdir -p "$HOME/.codex/rules"
echo 'prefix_rule(pattern=["git"], decision="allow")' >"$HOME/.codex/rules/a.rules"
judged git push origin
is "the user's rules take nothing back" "$(ask .approval.decision)" denied
rm "$HOME/.codex/rules/a.rules"

# The machine's rules
require ''
mkdir "$etc/codex/rules"
machine=$etc/codex/rules/site.rules
echo 'prefix_rule(pattern=["git", "push"], decision="forbidden", justification="site")' >"$machine"
judged git push origin
is "the machine's rule counts" "$(ask '.approval | [.decision, .by]')" '["denied","rule"]'
like "... and is named" "$err" '/etc/codex/rules/site.rules:1\): site'
judged git status
is "control: another word" "$(ask .approval.decision)" skip
echo 'prefix_rule(pattern=["git"], decision="allow")' >"$HOME/.codex/rules/a.rules"
judged git push origin
is "the user's rules take nothing back" "$(ask .approval.decision)" denied
rm "$HOME/.codex/rules/a.rules"
inside "$SBX/sbx-approve" --check-rules -- git push
is "--check-rules knows it" "$(ask .decision)" forbidden
echo 'prefix_rule(pattern=["make"], decision="allow")' >"$machine"
made() { inside bash -c '"$0/sbx-policy" -C "$1" -s workspace-write -a untrusted -- make | "$0/sbx-approve"' "$SBX" "$ws"; }
made
is "what it allows is allowed" "$status $(ask '.approval.by')" "0 rule"
for spoil in "chmod 666 $machine" "chown 12345 $machine" "chmod 777 $etc/codex/rules" "mv $machine $scratch/r; ln -s $scratch/r $machine" \
	"rm -r $etc/codex/rules; echo >$etc/codex/rules"; do
	cp -a "$etc/codex/rules" "$scratch/rules"
	eval "$spoil"
	made
	is "an error: ${spoil//"$scratch"/}" "$status $(ask '.approval')" "3 null"
	like "... by its name" "$err" '/etc/codex/rules'
	rm -rf "$etc/codex/rules"
	mv "$scratch/rules" "$etc/codex/rules"
done
made
is "control: as it was" "$status" 0
rm -r "$etc/codex/rules"
echo >"$scratch/file"
mv "$HOME/.codex/rules" "$scratch/kept"
mv "$scratch/file" "$HOME/.codex/rules"
judged git status
like "a file where the user's rules should be is an error" "$status $err" '^3 .*\.codex/rules: not a directory'
rm "$HOME/.codex/rules"
mv "$scratch/kept" "$HOME/.codex/rules"

# The network
require '[experimental_network]' 'managed_allowed_domains_only = true' 'domains = { "example.org" = "allow", "bad.example.org" = "deny" }'
with -s workspace-write
is "domains become hosts" "$(ask '.policy.requirements | [.allowed_hosts, .denied_hosts]')" '[["example.org"],["bad.example.org"]]'
for mode in danger-full-access external-sandbox; do
	with -s $mode
	like "not in $mode, where nobody holds them" "$status $err" '^3 .*allowed_hosts .*needs a sandbox'
done
with -s workspace-write --network on
is "nor all of the network" "$status" 3
# leaving OPTION...: a command that the approver lets out of the sandbox
leaving() {
	inside bash -c '"$0/sbx-policy" -C "$1" -s workspace-write "${@:3}" -- true | "$0/sbx-approve" --approver "$2"' "$SBX" "$ws" "$scratch/yes" "$@"
	ask '.approval | [.decision, .by]'
}
printf '#!/bin/sh\ncat >/dev/null\necho '"'"'{"decision":"approved"}'"'\n" >"$scratch/yes"
is "nor outside, whoever approves it" "$(leaving --escalate)" '["denied","policy"]'
like "... and that is said" "$(cat "$scratch/.err")" 'administrator'
is "... nor with --forbid" "$(leaving --forbid)" '["denied","policy"]'
echo 'prefix_rule(pattern=["true"], decision="allow", where="outside")' >"$HOME/.codex/rules/a.rules"
is "... nor by a rule" "$(leaving --escalate)" '["denied","policy"]'
for line in 'enabled = true' 'allow_local_binding = false'; do
	require '[experimental_network]' "$line"
	is "nor with $line" "$(leaving --escalate)" '["denied","policy"]'
	with -s workspace-write --network on
	like "... nor is all of the network" "$status $err" '^3 .*network on .*some hosts only'
	with -s workspace-write --allow-host a.example
	is "... control: a host is" "$status $(ask '.policy.permissions | [.network, .hosts[]] | join(" ")')" "0 hosts a.example"
	with -s danger-full-access
	is "... nor full access" "$status" 3
done
require '[experimental_network]' 'enabled = false' 'allow_upstream_proxy = true' 'dangerously_allow_non_loopback_proxy = false' \
	'http_port = 3128' 'socks_port = 8081' 'allow_local_binding = true' 'dangerously_allow_all_unix_sockets = false'
with -s workspace-write --network on
is "control: what is about codex's proxy bounds nothing" "$status $(ask .policy.permissions.network)" "0 on"
require '[experimental_network]' 'domains = { "bad.example.org" = "deny" }'
is "nor with a host that is denied" "$(leaving --escalate)" '["denied","policy"]'
require '[features]' 'pinned = true'
is "control: without a list the rule lets it" "$(leaving --escalate)" '["approved","rule"]'
rm "$HOME/.codex/rules/a.rules"
is "... and so does the approver" "$(leaving --escalate)" '["approved","approver"]'
config '[features]' 'pinned = false'
with
is "a feature is pinned" "$(ask .policy.features.pinned)" true
require '[feature_requirements]' 'pinned = true'
with
is "... by its other name as well" "$(ask .policy.features.pinned)" true
config ''

# Nothing is half taken.
for wrong in 'unknown = 1' '[experimental_network]
domains = ["example.org"]' '[experimental_network]
managed_allowed_domains_only = "yes"' 'experimental_network = true' '[rules]
prefix_rules = [{pattern = [{token = "a"}], decision = "allow"}]' '[rules]
prefix_rules = [{pattern = ["a"], decision = "prompt"}]' '[permissions.filesystem]
deny_write = []' '[experimental_network]
unix_sockets = {}' '[experimental_network]
allowed_domains = ["a.example"]' '[experimental_network]
dangerously_allow_all_unix_sockets = true' '[experimental_network]
enabled = "yes"' '[experimental_network]
domains = { "a.example" = "maybe" }' 'allowed_sandbox_modes = ["any"]' 'remote_sandbox_config = []' '[features]
a = true
[feature_requirements]
a = true'; do
	require "$wrong"
	with
	is "refused: ${wrong//$'\n'/ }" "$status $(ask .policy)" "3 null"
	like "... by its name" "$err" "$name"
done
require '[requirements]' 'unknown = 1'
rm "$requirements"
printf '[requirements]\nunknown = 1\n' >"$etc/codex/managed_config.toml"
with
is "an unknown requirement in the managed file" "$status" 3
rm "$etc/codex/managed_config.toml"
# Every key that codex has for an administrator.
require 'allowed_web_search_modes = ["cached"]' 'enforce_residency = "us"' 'allowed_login_methods = ["chatgpt"]' 'allowed_chatgpt_workspaces = ["x"]' \
	'cli_auth_credentials_store = "keyring"' 'chatgpt_base_url = "x"' 'sqlite_home = "/x"' 'log_dir = "/x"' 'model_catalog_json = "/x"' \
	'check_for_update_on_startup = false' 'allow_login_shell = false' 'allowed_approvals_reviewers = ["user"]' 'allow_managed_hooks_only = true' \
	'allow_browser_and_computer_use = false' 'allow_appshots = false' 'allow_remote_control = false' 'additional_developer_instructions = "x"' \
	'guardian_policy_config = "x"' '[feedback]' 'enabled = false' '[computer_use]' 'x = 1' '[browser_use]' 'x = 1' '[in_app_browser]' 'x = 1' \
	'[hooks]' 'x = 1' '[mcp_servers.a.identity]' 'command = "x"' '[plugins.a]' 'x = 1' '[marketplaces]' 'x = 1' '[apps.a]' 'enabled = false' \
	'[application]' 'x = 1' '[auto_review]' 'ignore_rules = []' '[models.new_thread]' 'model = "x"'
with
is "control: what no sandbox is concerned with" "$status$err" 0
finish
