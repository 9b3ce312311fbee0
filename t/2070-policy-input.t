#!/bin/bash
# Wrong input gets one clear line and the right code; right input the right command.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"

# wrong CODE PATTERN OPTION...
wrong() {
	local code=$1 pattern=$2
	shift 2
	run "$SBX/sbx-policy" "$@"
	is "exit $code: $*" "$status" "$code"
	like "line of: $*" "$err" "^sbx-policy: .*$pattern"
	is "one line: $*" "$(wc -l <"$scratch/.err")" 1
}
wrong 2 'read-only, workspace-write, danger-full-access or external-sandbox' -s nonsense -- true
wrong 2 'untrusted, on-change, on-failure, on-request or never' -a maybe -- true
wrong 2 'off, loopback, hosts or on' --network yes -- true
wrong 2 'unknown' --nonsense -- true
wrong 2 'needs a value' -s
wrong 2 'KEY=VALUE' -c nonsense -- true
wrong 2 'exclude each other' --require --forbid -- true
wrong 2 'seconds' --timeout soon -- true
wrong 2 'seconds' --timeout -1 -- true
wrong 2 'seconds' --timeout 1e3 -- true
wrong 2 'seconds' --timeout 99999999999999999999 -- true
wrong 2 'need a command' --timeout 3
wrong 2 'the command is empty' -- ''
wrong 2 'read or write' --check-path execute /
wrong 2 'no path' --check-path read
wrong 3 'profile "x": no such profile' -p x -- true
wrong 3 'permissions "x": no such permission set' -P x -- true
wrong 3 'preset "gitt": no such preset.*"git"' -s workspace-write --allow gitt -C "$ws" -- true
wrong 2 'needs --auto or --sandbox workspace-write' --allow git -- true
wrong 3 'read-only, workspace-write or danger-full-access' -c 'sandbox_mode="external-sandbox"' -- true
wrong 3 'true or false' -c 'sbx.nested="yes"' -- true
wrong 3 'expected true or false' -c 'sbx.nested=yes' -- true
wrong 3 'value' -c 'sbx.nested=[yes' -- true
wrong 3 'auto, vendored or system' -c 'sbx.bwrap="/tmp/x"' -- true

policy -p x
is "a refused setting is in the document" "$(ask '[.error.exit,.policy]')" '[3,null]'
policy -c 'sandbox_mod="danger-full-access"'
is "an unknown key near ours, typed: an error" "$status$(ask .policy.sandbox_policy.type)" 3null
like "an unknown key: said" "$err" 'sandbox_mod: unknown key; did you mean "sandbox_mode"'
policy -c 'model="x"'
is "a key of somebody else's" "$status$err$(ask .policy.sandbox_policy.type)" 0read-only
policy -c '"sandbox_mode"="workspace-write"'
is "a quoted key" "$(ask .policy.sandbox_policy.type)" workspace-write
policy -c '"sbx.nested"=true'
is "a quoted dot is another key" "$(ask .policy.sbx.nested)" false

for text in '{' '[]' '1' '{"sbx":2}' '{"sbx":1}' '{"sbx":1,"command":{"argv":[],"cwd":"/"}}' \
	'{"sbx":1,"command":{"argv":["x"],"cwd":"relative"}}' '{"sbx":1,"command":{"argv":"x","cwd":"/"}}'; do
	printf '%s' "$text" >"$scratch/in"
	run bash -c 'exec "$1" <"$0"' "$scratch/in" "$SBX/sbx-policy"
	is "not a document: $text" "$status$(ask '[.error.exit,.policy]')" '3[3,null]'
done
run "$SBX/sbx-policy"
is "an empty stream" "$status$out" 0

policy --timeout 0.5 --escalate --justification 'because "x"' --require
is "the command" "$(ask .command)" \
	"{\"argv\":[\"true\"],\"cwd\":\"$ws\",\"timeout_ms\":500,\"tool\":\"exec\",\"preference\":\"require\",\"escalate\":true,\"justification\":\"because \\\"x\\\"\"}"
for pair in 0=0 10=10000 1.25=1250 .001=1 0.0001=1 2.=2000 0.9999=1000; do
	policy --timeout "${pair%=*}"
	is "--timeout ${pair%=*}" "$(ask .command.timeout_ms)" "${pair#*=}"
done
policy --forbid
is "--forbid" "$(ask .command.preference)" forbid
run "$SBX/sbx-policy" -C "$ws" ls -l -- x
is "a command without --" "$(ask .command.argv)" '["ls","-l","--","x"]'
run "$SBX/sbx-policy" -C "$ws" -- -x --sandbox
is "a command that begins with a dash" "$(ask .command.argv)" '["-x","--sandbox"]'
finish
