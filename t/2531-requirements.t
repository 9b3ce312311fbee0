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

# The network
require '[experimental_network]' 'managed_allowed_domains_only = true' 'domains = { "example.org" = "allow", "bad.example.org" = "deny" }'
with -s workspace-write
is "domains become hosts" "$(ask '.policy.requirements | [.allowed_hosts, .denied_hosts]')" '[["example.org"],["bad.example.org"]]'
require '[features]' 'pinned = true'
config '[features]' 'pinned = false'
with
is "a feature is pinned" "$(ask .policy.features.pinned)" true
config ''

# Nothing is half taken.
for wrong in 'unknown = 1' '[rules]
prefix_rules = [{pattern = [{token = "a"}], decision = "allow"}]' '[rules]
prefix_rules = [{pattern = ["a"], decision = "prompt"}]' '[permissions.filesystem]
deny_write = []' '[experimental_network]
unix_sockets = {}' 'allowed_sandbox_modes = ["any"]'; do
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
require 'allowed_web_search_modes = ["cached"]' 'enforce_residency = "us"'
with
is "control: what no sandbox is concerned with" "$status" 0
finish
