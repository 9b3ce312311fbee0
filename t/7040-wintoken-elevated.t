#!/bin/bash
# The elevated level of Windows: its plan as data, by the schema; and nobody carries it out.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/wintoken.sh"
anyone
elevated='.policy.features.elevated_windows_sandbox = true'
# asked [FILTER]: the plan in $out
asked() { stage sbx-wintoken --elevated-plan < <(windows "$elevated | ${1:-.}"); }
restricted='.policy.permissions.fs = [{path: "C:\\ws", access: "write"}, {path: "C:\\ws\\.git", access: "read"}, {path: "D:\\data", access: "read"}]'
: >"$scratch/all"
asked "$restricted"
printf '%s\n' "$out" >>"$scratch/all"
is "restricted reading: the roots, the directory of the command, and what is written" "$status $(jq -c .read <<<"$out")" \
	'0 {"all":false,"platform_defaults":false,"roots":["C:\\ws","D:\\data"]}'
is "what is written, and what is not" "$(jq -c .write <<<"$out")" '{"roots":["C:\\ws"],"read_only":["C:\\ws\\.git"]}'
is "without a network: the user, and what is blocked" "$(field '"\(.user) \(.firewall | map(.remote + " " + .protocol) | join(", "))"')" \
	"CodexSandboxOffline not-loopback any, loopback tcp, loopback udp, any icmp"
asked "$restricted | .policy.permissions.platform_defaults = true"
printf '%s\n' "$out" >>"$scratch/all"
is "include_platform_defaults adds those of the system" "$(jq -c .read.roots <<<"$out")" \
	'["C:\\ws","D:\\data","C:\\Windows","C:\\Program Files","C:\\Program Files (x86)","C:\\ProgramData"]'
asked "$restricted | .command.cwd = \"E:\\\\elsewhere\""
is "the directory of the command is read" "$(field '.read.roots | index("E:\\elsewhere") != null')" true
asked '.policy.permissions.network = "on"'
printf '%s\n' "$out" >>"$scratch/all"
is "with all of it, and a network" "$(field '"\(.read.all) \(.user) \(.firewall | length)"')" "true CodexSandboxOnline 0"
for wrong in '.policy.permissions.fs += [{path: "C:\\secret", access: "none"}]' '.policy.permissions.deny_globs = ["C:\\ws\\*.key"]' \
	'.policy.permissions.network = "hosts" | .policy.permissions.hosts = ["example.org"]' \
	'.policy.permissions.fs += [{path: "C:\\ws\\.git", access: "read"}, {path: "C:\\ws\\.git\\x", access: "write"}]'; do
	asked "$wrong"
	is "what would be weaker is refused: ${wrong:0:50}" "$status $out" "4 "
done
stage sbx-wintoken --elevated-plan < <(windows)
is "a policy that asks for another level" "$status" 3
stage sbx-wintoken < <(windows "$elevated")
is "nobody set it up: nothing to execute" "$status $(field '"\(.error.code) \(.exec)"')" "4 no-elevated-sandbox null"
python=/usr/bin/python3
if "$python" -c 'import jsonschema' 2>/dev/null; then
	is "valid by the schema" "$("$python" -c '
import json, sys, jsonschema
v = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
plans = [json.loads(line) for line in open(sys.argv[2])]
print(sum(1 for p in plans if v.is_valid(p)), sum(1 for p in plans if v.is_valid(dict(p, other=1))))' "$SHARE/schema/wintoken-plan.json" "$scratch/all")" "3 0"
fi
finish
