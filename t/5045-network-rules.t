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
hosts_are "without a list there is none" "off" .
hosts_are "the administrator's list bounds it" "hosts a.example b.example !b.example:80 !d.example 192.0.2.1:80" \
	"$listed | .policy.allowed_hosts = [\"192.0.2.0/24\", \"a.example\", \"b.example\"]"
hosts_are "a file that the sandbox could write allows nothing" "hosts a.example b.example !b.example:80 !d.example" \
	"$listed | .policy.permissions.fs += [{\"path\": \"$HOME/.codex\", \"access\": \"write\"}] | .policy.sandbox_policy.type = \"workspace-write\""
for bad in '"*.x", "https", "allow"' '"http://x", "https", "allow"' '"x:1", "https", "allow"' '"0x7f.1", "https", "allow"' '"x", "ftp", "allow"' '"x", "https", "maybe"' '"x", "https", "allow", "y", "z"'; do
	rules "network_rule($bad)"
	stage sbx-approve < <(doc "$listed")
	is "an error: $bad" "$status" 3
done
finish
