#!/bin/bash
# The plans of a corpus of policies, compared as a whole with what was looked
# at by a person, and valid by the schema.
. "${0%/*}/lib/lib.sh"
slow
. "$TESTS/lib/wintoken.sh"
anyone
golden=$TESTS/windows/golden
known_sids

# A plan as the golden documents have it: readable, wherever the home is.
readable() {
	local home=${CODEX_HOME//\//\\}
	home=$(jq -n --arg h "Z:$home" '$h')
	jq --sort-keys "walk(if type == \"string\" then gsub($home | gsub(\"(?<c>[\\\\\\\\.])\"; \"\\\\\" + .c); \"HOME\") else . end)"
}

tmp='C:\Users\Ann\AppData\Local\Temp'
protected=('C:\ws\.git' read 'C:\ws\.agents' read 'C:\ws\.codex' read)
declare -A corpus=(
	[read-only]='.policy.sandbox_policy.type = "read-only" | '$(entries)
	[workspace]=$(entries 'C:\ws' write "${protected[@]}")
	[workspace-and-roots]=$(entries 'C:\ws' write "${protected[@]}" "$tmp" write "$tmp\\.git" read 'D:\cache' write)
	[network-on]=$(entries 'C:\ws' write)' | .policy.permissions.network = "on"'
	[network-loopback]=$(entries 'C:\ws' write)' | .policy.permissions.network = "loopback"'
	[timeout]='.command.timeout_ms = 60000'
	[cwd-below]='.command.cwd = "c:/WS/sub"'
	[cwd-elsewhere]='.command.cwd = "C:\\other"'
	[spellings]=$(entries "\\\\?\\c:\\Users\\Ann\\Project\\" write 'C:/users/ann/PROJECT/x/../.git' read)' | .command.cwd = "C:\\USERS\\Ann\\project"'
	[network-share]=$(entries '\\Server\share\ws' write '//server/SHARE/WS/.git' read)' | .command.cwd = "\\\\server\\share\\ws"'
	[nested-roots]=$(entries 'C:\ws' write 'C:\ws\a\b' write 'C:\ws\a\b\.git' read 'C:\ws\.git' read)
	[read-entries-outside]=$(entries 'C:\ws' write 'C:\secret' read 'C:\ws2' read)
	[carve-out-in-carve-out]=$(entries 'C:\ws' write 'C:\ws\.git' read 'C:\ws\.git\hooks' read)
	[tie]=$(entries 'C:\ws' write 'C:\ws' read)
	[other-system]=$(entries /home/ann/ws write /home/ann/ws/.git read /tmp write)' | .command.cwd = "/home/ann/ws"'
	[unicode]=$(entries 'C:\ws' write 'C:\ws\größe 😀' read 'C:\ws\日本' read)
	[off]='.policy.features = {}'
	[off-by-word]='.policy.features.enable_experimental_windows_sandbox = "true"'
)
: >"$scratch/all"
for name in $(printf '%s\n' "${!corpus[@]}" | sort); do
	plan < <(windows "${corpus[$name]}")
	is "$name: exit 0" "$status $err" "0 "
	printf '%s\n' "$out" >>"$scratch/all"
	readable <<<"$out" >"$scratch/$name.json"
	[ "${GOLDEN:-}" != write ] || cp "$scratch/$name.json" "$golden/"
	is "$name: the plan" "$(diff "$golden/$name.json" "$scratch/$name.json" 2>&1)" ""
done
is "control: every golden plan has a policy" "$(find "$golden" -name '*.json' | wc -l)" "${#corpus[@]}"

# What the files say is not what anybody wanted only because it is there.
g() { jq -r "$2" "$golden/$1.json"; }
is "restricting SIDs: capabilities, logon, Everyone" \
	"$(g workspace-and-roots '.token.restricting_sids | map(.[0:13]) | join(" ")')" \
	"S-1-5-21-2000 S-1-5-21-3000 S-1-5-21-3100 logon S-1-1-0"
is "a read-only policy has a capability that nothing grants" "$(g read-only '.aces | length')" 0
is "each carve-out denies its own root's capability" \
	"$(g workspace-and-roots '[.aces[] | select(.type == "deny") | .sid[0:13]] | unique | join(" ")')" \
	"S-1-5-21-2000 S-1-5-21-3000"
is "a directory of another workspace is no root of this one" "$(g cwd-elsewhere '.capability_sids[0].purpose')" root
is "nested roots are one" "$(g nested-roots '[.aces[] | select(.type == "allow")] | length')" 1
is "... with the carve-outs of both" "$(g nested-roots '[.aces[] | select(.type == "deny")] | length')" 2
is "no entry where nothing is writable" "$(g read-entries-outside '[.aces[].path] | join(" ")')" 'C:\ws'
is "the stub folder is first in PATH" "$(g workspace '.environment.path_first[0] == .stubs.directory')" true
is "a network that is on needs neither stubs nor proxies" \
	"$(g network-on '"\(.stubs.files | length) \(.environment.path_first | length) \(.environment.set | has("HTTP_PROXY"))"')" "0 0 false"
is "the network limit is said to be advisory" "$(g workspace '[.lost[].guarantee] | index("network") != null')" true
like "... in words" "$(g workspace '.lost[] | select(.guarantee == "network").why')" 'advisory'
is "... and is not lost when it is on" "$(g network-on '[.lost[].guarantee] | index("network")')" null
is "directories of everybody are lost in any case" \
	"$(g network-on '[.lost[].guarantee] | index("world-writable-directories") != null')" true
is "without the feature nothing can be carried out" "$(g off '"\(.windows_sandbox_level) \(has("token"))"')" "disabled false"

python=/usr/bin/python3
if "$python" -c 'import jsonschema' 2>/dev/null; then
	cat >"$scratch/validate" <<'END'
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for line in sys.stdin:
    errors = [f"{e.json_path}: {e.message[:200]}" for e in validator.iter_errors(json.loads(line))]
    print(errors[0] if errors else "valid")
END
	validate() { "$python" "$scratch/validate" "$SHARE/schema/wintoken-plan.json"; }
	is "every plan is valid by the schema" "$(validate <"$scratch/all" | sort | uniq -c | tr -s ' ')" " ${#corpus[@]} valid"
	head -n 1 "$scratch/all" >/dev/null
	jq -c . "$golden/workspace.json" | sed 's/HOME\\\\/C:\\\\Users\\\\Ann\\\\.codex\\\\/g' >"$scratch/one"
	is "control: this one is valid" "$(validate <"$scratch/one")" valid
	mapfile -t changes <<'END'
del(.token)
.token.flags |= .[1:]
.token.restricting_sids = ["logon", "S-1-1-0"]
.token.restricting_sids[0] = "S-1-5-32-544"
.aces[0].sid = "S-1-1-0"
.aces[0].path = "c:/ws"
.aces[0].if_missing = "make-directory"
.cwd = "ws"
.job.breakaway = true
.more = 1
.environment.more = 1
.stubs.files[0].name = "..\\x.bat"
.capability_sids[0].path = null
.windows_sandbox_level = "disabled"
.windows_sandbox_level = "none"
END
	# One jq and one validator for all of them.
	printf -v every ', (%s)' "${changes[@]}"
	mapfile -t verdicts < <(jq -c "${every#, }" "$scratch/one" | validate)
	for i in "${!changes[@]}"; do
		like "the schema notices: ${changes[i]}" "${verdicts[i]-}" '^[$]'
	done
else
	skip "plans are valid by the schema" "python3-jsonschema is not installed"
fi
finish
