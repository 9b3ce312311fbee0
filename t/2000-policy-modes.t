#!/bin/bash
# Each mode gives the entries, the network and the legacy form that belong to it.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"

policy
is "default: exit" "$status" 0
is "default: sandbox" "$(ask .policy.sandbox_policy)" '{"type":"read-only","network_access":false}'
is "default: approval" "$(ask .policy.approval_policy)" on-request
is "default: entries" "$(ask .policy.permissions)" \
	'{"fs":[{"path":"/","access":"read"}],"network":"loopback","unix_sockets":[]}'
is "default: no roots" "$(ask .policy.writable_roots)" '[]'
is "default: source" "$(ask '[.policy.sources.sandbox_mode,.policy.sources.approval_policy]')" '["default","default"]'
is "default: nothing was walked" "$(ask .policy.walk)" '{"directories":0,"cut":false,"cut_roots":[]}'
is "default: the other members" \
	"$(ask '.policy | [.shell_environment_policy,.features,.trust,.sbx]')" \
	"[{\"inherit\":\"all\",\"ignore_default_excludes\":false,\"exclude\":[],\"set\":{},\"include_only\":[]},{},{\"level\":\"unknown\",\"path\":\"$ws\"},{\"bwrap\":\"auto\",\"nested\":false}]"

policy_ww
is "workspace-write: sandbox" "$(ask .policy.sandbox_policy)" \
	'{"type":"workspace-write","writable_roots":[],"network_access":false,"exclude_tmpdir_env_var":false,"exclude_slash_tmp":false}'
entry_is / read
entry_is "$ws" write
entry_is /tmp write
is "workspace-write: nobody outside" "$(ask '.policy | [.permissions.network, .loopback]')" '["loopback","optional"]'
is "workspace-write: source" "$(ask .policy.sources.sandbox_mode)" "flag --sandbox"

policy -s danger-full-access
is "danger-full-access" "$(ask '.policy | [.sandbox_policy,.permissions.fs,.permissions.network]')" \
	'[{"type":"danger-full-access"},[{"path":"/","access":"write"}],"on"]'
is "danger-full-access: one root" "$(ask .policy.writable_roots)" '[{"root":"/","read_only_subpaths":[]}]'
policy -s danger-full-access --network off
is "danger-full-access cannot take the network away" "$status" 2

policy -s external-sandbox
is "external-sandbox" "$(ask '.policy | [.sandbox_policy,.permissions.fs,.permissions.network]')" \
	'[{"type":"external-sandbox","network_access":"restricted"},[{"path":"/","access":"write"}],"loopback"]'
policy -s external-sandbox --network on
is "external-sandbox with the network" "$(ask '.policy | [.sandbox_policy.network_access,.permissions.network]')" '["enabled","on"]'

policy_ww --network loopback
is "loopback is not network access" "$(ask '.policy | [.permissions.network,.loopback,.sandbox_policy.network_access,.sources.network]')" \
	'["loopback",null,false,"flag --network"]'
policy_ww -c 'sandbox_workspace_write.network_access=false'
is "no network access is nobody outside" "$(ask '.policy | [.permissions.network,.loopback]')" '["loopback","optional"]'
policy -c 'sandbox_workspace_write.network_access=true'
is "network_access is for workspace-write" "$(ask .policy.permissions.network)" loopback
policy_ww -c 'sandbox_workspace_write.network_access=true'
is "network_access" "$(ask '.policy | [.permissions.network,.sandbox_policy.network_access]')" '["on",true]'
policy_ww -c 'sandbox_workspace_write.network_access=true' --network off
is "the flag beats the key" "$(ask .policy.permissions.network)" off
policy --network off -s read-only -c 'sandbox_mode="danger-full-access"'
is "the flag beats the key in any order" "$(ask .policy.sandbox_policy.type)" read-only

policy --full-auto
is "--full-auto" "$(ask '.policy | [.sandbox_policy.type,.approval_policy,.sources.sandbox_mode]')" \
	'["workspace-write","never","flag --full-auto"]'
policy --full-auto -s read-only
is "--full-auto with another mode" "$status" 2
policy -a on-request --full-auto
is "--full-auto with another approval policy" "$status" 2
policy -a never -s workspace-write --full-auto
is "--full-auto with the same" "$status" 0

for word in untrusted on-failure on-request never; do
	policy -a "$word"
	is "approval $word" "$(ask .policy.approval_policy)" "$word"
done
for pair in :read-only=read-only :workspace=workspace-write :danger-full-access=danger-full-access; do
	policy -P "${pair%=*}"
	is "-P ${pair%=*}" "$(ask .policy.sandbox_policy.type)" "${pair#*=}"
done
policy -P :workspace -s read-only
is "-P and -s contradict each other" "$status" 2
policy -c 'sbx.bwrap="vendored"' -c sbx.nested=true
is "sbx.bwrap, sbx.nested" "$(ask .policy.sbx)" '{"bwrap":"vendored","nested":true}'
finish
