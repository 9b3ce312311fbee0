#!/bin/bash
# The managed file outranks flags, restricts what may be chosen, and is only
# believed when nobody but root can have written it.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"
need ROOT
unshare -m true 2>/dev/null || skip_all "no mount namespace of our own can be made here"

# /etc/codex of a private mount namespace; the machine's own stays as it is.
etc=$scratch/etc
mkdir -p "$etc/codex"
cp -a /etc/passwd /etc/group "$etc/" 2>/dev/null
managed=$etc/codex/managed_config.toml
# with OPTION...: sbx-policy where /etc is ours
with() {
	run unshare -m --propagation private sh -c 'mount --bind "$1" /etc && shift && exec "$@"' sh "$etc" \
		"$SBX/sbx-policy" -C "$ws" "$@" -- true
}
name=/etc/codex/managed_config.toml

with
is "control: no managed file" "$status $(mode)" "0 read-only"
printf 'sandbox_mode = "workspace-write"\napproval_policy = "untrusted"\n' >"$managed"
with -s danger-full-access -a never
is "it beats flags" "$(ask '.policy | [.sandbox_policy.type,.approval_policy,.sources.sandbox_mode]')" \
	"[\"workspace-write\",\"untrusted\",\"$name:1\"]"
like "... and says so" "$err" 'sandbox_mode.*managed_config.toml:1.*flag --sandbox'
config 'sandbox_mode = "danger-full-access"'
with -c 'sandbox_mode="danger-full-access"'
is "it beats the user's file and -c" "$(mode)" workspace-write
config ''

printf '[requirements]\nallowed_sandbox_modes = ["read-only", "workspace-write"]\nallowed_approval_policies = ["untrusted"]\n' >"$managed"
with -a untrusted -s workspace-write
is "an allowed choice" "$status $(mode)" "0 workspace-write"
with -a untrusted -s danger-full-access
like "a choice that is not allowed is an error" "$status $err" \
	"^3 .*sandbox_mode \"danger-full-access\" \(flag --sandbox\): not among the allowed_sandbox_modes of $name:2"
is "... without a policy" "$(ask .policy)" null
with -a untrusted -s external-sandbox
is "external-sandbox is not among them either" "$status" 3
with -a never
like "nor an approval policy" "$status $err" '^3 .*approval_policy "never"'
with
is "a default outside falls back" "$status $(ask .policy.approval_policy)" "0 untrusted"
like "... and says so" "$err" 'approval_policy: "on-request" is not allowed by .*using "untrusted"'
config 'approval_policy = "never"'
with
is "the user's file is a choice" "$status" 3
config '[permissions.all.filesystem]' '":root" = "write"'
with -a untrusted -P all
like "a set that opens everything counts as what it is" "$status $err" '^3 .*danger-full-access'
config '[permissions.some]' 'extends = ":workspace"'
with -a untrusted -P some
is "control: another set does not" "$status" 0
printf '[requirements]\nallowed_sandbox_modes = []\n' >"$managed"
with
is "an empty list allows nothing" "$status" 3
printf '[requirements]\nallowed_sandbox_modes = ["danger"]\n' >"$managed"
with
like "a word that is none" "$status $err" "^3 .*$name:2:"
printf '[projects."%s"]\ntrust_level = "untrusted"\n' "$ws" >"$managed"
config "$(trusted "$ws")"
with
is "it decides about trust" "$(ask .policy.trust.level)" untrusted
config ''

printf 'sandbox_mode = "danger-full-access"\n' >"$managed"
distrusted() {
	with
	is "not believed: $1" "$status $(ask .policy)" "3 null"
	like "... said: $1" "$err" "not trusted: $2"
}
chown 12345 "$managed"
distrusted "owned by a user" "not owned by root"
chown 0 "$managed"
chmod 666 "$managed"
distrusted "writable by everybody" "writable by everybody"
chmod 644 "$managed"
chmod 777 "$etc/codex"
distrusted "in a directory that anybody can write" "somebody other than root"
chmod 775 "$etc/codex" && chgrp 12345 "$etc/codex"
distrusted "in a directory that a group can write" "somebody other than root"
chmod 755 "$etc/codex"
mv "$managed" "$etc/other" && ln -s ../other "$managed"
distrusted "a link" "."
rm "$managed" && mkfifo "$managed"
distrusted "a fifo" "not a regular file"
rm "$managed"
: >"$etc/file" && rmdir "$etc/codex" && ln -s "$etc" "$etc/codex"
distrusted "a directory that is a link" "."
rm "$etc/codex" && mkdir "$etc/codex"
with
is "control: gone again" "$status $(mode)" "0 read-only"

# No variable names another file.
printf 'sandbox_mode = "danger-full-access"\n' >"$scratch/mine.toml"
run env SBX_MANAGED_CONFIG="$scratch/mine.toml" CODEX_MANAGED_CONFIG="$scratch/mine.toml" "$SBX/sbx-policy" -C "$ws" -- true
is "no variable names another" "$(mode)" read-only
printf '[requirements]\nallowed_hosts = ["*.example.org", "192.0.2.0/24:443"]\ndenied_hosts = ["old.example.org"]\n' >"$managed"
hosts() { ask '.policy.permissions | [.network] + (.hosts // []) | join(" ")'; }
with --allow-host a.example.org:80 --allow-host 192.0.2.1:443
is "a host that is among the allowed ones; a denied one is denied" "$status $(hosts)" "0 hosts a.example.org:80 192.0.2.1:443 !old.example.org"
for host in example.org '**.example.org' a.example.net 192.0.2.1 192.0.2.0/23:443 '*'; do
	with --allow-host "$host"
	like "a host that is not: $host" "$status $err" "^3 .*not among the allowed_hosts of $name:2"
done
with --network on
like "nor all of them" "$status $err" '^3 .*allows some hosts only'

finish
