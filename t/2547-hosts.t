#!/bin/bash
# --allow-host, the lists of the configuration and grants: which hosts a policy names.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"

# network_is WHAT WANTED: the word, then the hosts
network_is() { is "$1" "$(ask '.policy.permissions | [.network] + (.hosts // []) | join(" ")')" "$2"; }
# refused_as STATUS WORDS WHAT OPTION...: nothing but a line that says so
refused_as() {
	local wanted=$1 words=$2 what=$3
	shift 3
	policy "$@"
	is "$what: status" "$status" "$wanted"
	like "$what: the line" "$err" "$words"
}

policy_ww --allow-host Example.ORG.:443 --allow-host '*.example.net' --allow-host 192.0.2.1
network_is "by option, in one spelling" "hosts example.org:443 *.example.net 192.0.2.1"
is "each with its source" "$(ask '[.policy.sources.hosts[].source] | unique | join(" ")')" "flag --allow-host"
is "the older form has no network" "$(ask .policy.sandbox_policy.network_access)" false
policy --allow-host example.org
network_is "under read-only as well" "hosts example.org"
policy_ww --network hosts
network_is "none listed is nobody" "hosts"
policy_ww --network on --allow-host localhost
network_is "the whole network stays whole" "on localhost"
policy_ww
is "without any there is no list" "$(ask '.policy.permissions | has("hosts")')" false
refused_as 2 'contradict' "off and a host" --network off --allow-host example.org
refused_as 2 'does not restrict' "no sandbox and a host" -s danger-full-access --allow-host example.org
for word in '' . a..b 0x7f.1 2130706433 127.1 017700000001 ::1 'a b' http://a a:0 a:99999 10.1.0.0/8 '!a' $'b\303\274.example'; do
	refused_as 2 'host' "\"$word\"" --allow-host "$word"
done

config '[sandbox_workspace_write]' 'hosts = ["a.example", "!b.a.example"]'
policy_ww
network_is "the list of workspace-write" "hosts a.example !b.a.example"
policy_ww --allow-host c.example
network_is "and the option's" "hosts a.example !b.a.example c.example"
policy_ww --network off
network_is "an option closes it" "off"
config '[sandbox_workspace_write]' 'hosts = ["0x7f.1"]'
refused_as 3 "$user:2.*another spelling" "a bad word in a file" -s workspace-write
config "[projects.\"$ws\"]" 'trust_level = "trusted"' 'hosts = ["p.example:443"]'
policy_ww
network_is "the user's list for a project" "hosts p.example:443"

config '[permissions.x]' 'extends = ":workspace"' 'network = "hosts"' 'hosts = ["a.example"]'
policy -P x
network_is "a set's list" "hosts a.example"
# codex LINE...: a set with such a table
codex() { config '[permissions.x]' 'extends = ":workspace"' '[permissions.x.network]' "$@"; }
codex 'enabled = true' 'domains = { "*.a.example" = "allow", "b.a.example" = "deny" }' 'mode = "full"' \
	'allow_local_binding = false' 'proxy_url = "http://127.0.0.1:3128"' 'unix_sockets = { "/run/x.sock" = "allow", "/run/y" = "deny", "/run/z" = "none" }'
policy -P x
network_is "codex's table" "hosts *.a.example !b.a.example"
is "... and its sockets" "$(ask '.policy.permissions.unix_sockets | join(" ")')" "/run/x.sock"
codex 'enabled = false' 'domains = { "a.example" = "allow" }' 'unix_sockets = { "/run/x.sock" = "allow" }'
policy -P x
network_is "... switched off" "loopback"
is "... with its sockets" "$(ask '.policy.permissions.unix_sockets')" "[]"
# A denied socket is open by no list, by whatever name.
ln -s /run "$scratch/run"
config '[permissions.a]' 'extends = ":workspace"' "unix_sockets = [\"$scratch/run/x.sock\", \"/run/y.sock\"]" \
	'[permissions.a.network]' 'enabled = true' 'unix_sockets = { "/run/z.sock" = "allow" }' \
	'[permissions.x]' 'extends = "a"' '[permissions.x.network]' 'unix_sockets = { "/run/x.sock" = "deny", "/run/z.sock" = "deny" }'
policy -P a
is "control: listed sockets" "$(ask '.policy.permissions.unix_sockets | sort | join(" ")')" "/run/x.sock /run/y.sock /run/z.sock"
policy -P x
is "without those that are denied" "$(ask '.policy.permissions.unix_sockets | join(" ")')" "/run/y.sock"
codex 'enabled = true' 'domains = {}'
policy -P x
network_is "... an empty list is nobody" "hosts"
for line in 'mode = "limited"' 'mitm = {}' 'dangerously_allow_all_unix_sockets = true' 'enable_socks5_udp = true' 'surprise = 1'; do
	codex 'enabled = true' 'domains = { "a.example" = "allow" }' "$line"
	refused_as 3 '[^ ]:.*cannot be enforced' "$line" -P x
done
codex 'enabled = true' 'mode = "limited"'
refused_as 3 "$user:5: .*cannot be enforced" "... by its line" -P x
codex 'enabled = true' 'domains = { "a.example" = "maybe" }'
refused_as 3 "$user:5: .*allow or deny" "another word" -P x
codex 'enabled = true' 'unix_sockets = { "/run/x" = "maybe" }'
refused_as 3 "$user:5: .*allow or deny" "... for a socket" -P x
codex 'enabled = true' 'domains = { "a.example" = "deny" }'
refused_as 3 'denies a host' "the whole network and a denied host" -P x --network on

config ''
repository "$ws"
in_project '[sandbox_workspace_write]' 'hosts = ["evil.example"]'
config "$(trusted "$ws")"
policy_ww
network_is "a project's list that nobody looked at" "loopback"
look
policy_ww
network_is "control: looked at" "hosts evil.example"

# claims FILE-LINE: holds or not, of one host
claims() { "$SBX/sbx-policy" -C "$ws" --allow-host a.example:443 --allow-host 192.0.2.0/24 --test <(printf '%s\n' "$1") >/dev/null 2>&1; }
config ''
ok "a claim about a host" claims 'allow connect a.example:443'
not_ok "at another port" claims 'allow connect a.example:80'
ok "by address" claims 'allow connect 192.0.2.7'
ok "and denied" claims 'deny connect b.example'

finish
