#!/bin/bash
# network_rule(): hosts that rules add to a list, and take away.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
export HOME=$scratch/home
mkdir -p "$HOME/.codex/rules"
listed='.policy.permissions.network = "hosts" | .policy.permissions.hosts = ["a.example", "b.example"]'
# rules LINE...: the user's
rules() { printf '%s\n' "$@" >"$HOME/.codex/rules/x.rules"; }
# hosts_are WHAT WANTED [JQ-FILTER]: what is enforced
hosts_are() {
	stage sbx-approve < <(doc "${3:-$listed}")
	is "$1" "$status $(field '(.approval.permissions // .policy.permissions) | [.network] + (.hosts // []) | join(" ")')" "0 $2"
}

rules ''
hosts_are "control: no rules" "hosts a.example b.example"
rules 'network_rule(host = "C.Example.", protocol = "https", decision = "allow", justification = "x")' \
	'network_rule("b.example", "http", "deny")' 'network_rule("d.example", "socks5_tcp", "forbidden")' \
	'network_rule("e.example", "https", "prompt")' 'network_rule("f.example", "socks5_udp", "allow")' 'network_rule("192.0.2.1", "http", "allow")'
hosts_are "allowed and denied" "hosts a.example b.example c.example:443 !b.example:80 !d.example 192.0.2.1:80"
rules 'network_rule(host="g.example", port="8443", decision="allow")' 'network_rule(host="h.example", port="1", decision="allow", project="/elsewhere")' \
	'network_rule(host="i.example", port="2", decision="allow", expires="2001-01-01")' 'network_rule(host="j.example", port="3", decision="deny", project="/elsewhere")' \
	"network_rule(host=\"k.example\", port=\"4\", decision=\"allow\", project=\"$ws\", expires=\"2090-01-01\")"
hosts_are "ports, projects and times; what is denied is denied everywhere" "hosts a.example b.example g.example:8443 !j.example:3 k.example:4"
rules 'network_rule("c.example", "https", "allow")' 'network_rule("b.example", "http", "deny")' 'network_rule("d.example", "socks5_tcp", "forbidden")' 'network_rule("192.0.2.1", "http", "allow")'
hosts_are "without a list there is none" "off" .
hosts_are "the administrator's list bounds it" "hosts a.example b.example !b.example:80 !d.example 192.0.2.1:80" \
	"$listed | .policy.allowed_hosts = [\"192.0.2.0/24\", \"a.example\", \"b.example\"]"
# What an administrator denies is denied whoever says yes.
denies='.policy.approval_policy = "untrusted" | .policy.requirements.denied_hosts = ["b.example", "*.d.example"]'
# given GRANT [JQ-FILTER]: what an approver gives to a command on the default network
given() {
	jq -cn --argjson grant "$1" '{decision: "approved", grant: $grant}' >"$scratch/answer"
	stage sbx-approve --approver "cat >/dev/null; cat $scratch/answer" < <(doc "${2-$denies}")
	echo "$status $(field '(.approval.permissions // .policy.permissions) | [.network] + (.hosts // []) | join(" ")')"
}
open='.policy.approval_policy = "untrusted"'
rules ''
is "control: a host that nobody denies" "$(given '{"hosts":["b.example"]}' "$open")" "0 hosts b.example"
is "control: all of the network, where nobody denies" "$(given '{"network":"on"}' "$open")" "0 on"
for host in b.example b.example:443 x.d.example '*.d.example' '*.e.d.example'; do
	is "a denied host is not given: $host" "$(given "{\"hosts\":[\"$host\"]}")" "3 off"
	is "... said" "$(field .error.message)" "grant: \"$host\": the managed configuration denies this host"
done
is "nor all of the network" "$(given '{"network":"on"}')" "3 off"
is "a pattern is given without what is denied" "$(given '{"hosts":["*.example"]}')" "0 hosts *.example !b.example !*.d.example"
rules 'network_rule("b.example", "https", "allow")'
is "nor does a rule open it" "$(given '{"hosts":["a.example"]}')" "0 hosts a.example !b.example !*.d.example b.example:443"
hosts_are "... with a list" "hosts a.example !b.example b.example:443" \
	'.policy.permissions.network = "hosts" | .policy.permissions.hosts = ["a.example", "!b.example"] | .policy.requirements.denied_hosts = ["b.example"]'
rules 'network_rule("c.example", "https", "allow")' 'network_rule("b.example", "http", "deny")' 'network_rule("d.example", "socks5_tcp", "forbidden")' 'network_rule("192.0.2.1", "http", "allow")'
hosts_are "a file that the sandbox could write allows nothing" "hosts a.example b.example !b.example:80 !d.example" \
	"$listed | .policy.permissions.fs += [{\"path\": \"$HOME/.codex\", \"access\": \"write\"}] | .policy.sandbox_policy.type = \"workspace-write\""
for bad in '"*.x", "https", "allow"' '"http://x", "https", "allow"' '"x:1", "https", "allow"' '"0x7f.1", "https", "allow"' '"x", "ftp", "allow"' '"x", "https", "maybe"' '"x", "https", "allow", "y", "z"' \
	'host="x", port="0", decision="allow"' 'host="x", port="65536", decision="allow"' 'host="x", port="1,2,x", decision="allow"' '"x", "https", "allow", port="1"' 'host="x", port="1", decision="allow", project="x"'; do
	rules "network_rule($bad)"
	stage sbx-approve < <(doc "$listed")
	is "an error: $bad" "$status" 3
done
finish
