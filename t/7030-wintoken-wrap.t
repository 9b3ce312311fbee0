#!/bin/bash
# sbx-wrap --platform windows: the launcher, the plan and the command, with an
# environment that is complete.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/wintoken.sh"
anyone
known_sids
token='.sandbox.type = "windows-restricted-token" | .sandbox.backend = "restricted-token"'

# What sbx-wrap gives its sibling is a document only: the home comes with it.
wrap() { # FILTER
	windows "$selected | $token | .command.env = {CODEX_HOME: \"$CODEX_HOME\", Path: \"C:\\\\Windows\", HTTP_PROXY: \"http://real:1\", KEEP: \"1\", NULLED: \"/dev/null\", SBX_SESSION: \"x\"} | $1" >"$scratch/.in"
	run "$SBX/sbx-wrap" --platform windows <"$scratch/.in"
}
wrap '.command.argv = ["cmd", "/c", "echo a  b", "-x", ""]'
is "wrapped" "$status $err" "0 "
is "the launcher, a plan, and the command behind --" \
	"$(field '.exec.argv | [.[0], .[1], (.[2] | fromjson | .windows_sandbox_level), .[3:]] | tojson')" \
	'["sbx-wintoken.exe","--plan-json","restricted-token",["--","cmd","/c","echo a  b","-x",""]]'
is "the rest of exec" "$(field '.exec | "\(.cwd) \(.arg0) \(.sandbox) \(.windows_sandbox_level)"')" \
	'C:\ws null windows-restricted-token restricted-token'
is "markers" "$(field '.exec.env | "\(.SBX_SANDBOX) \(.CODEX_SANDBOX_NETWORK_DISABLED) \(.SBX_SESSION) \(.KEEP)"')" \
	"windows-restricted-token 1 null 1"
is "proxies lead nowhere" "$(field '.exec.env.HTTP_PROXY')" "http://127.0.0.1:9"
home=Z:${CODEX_HOME//\//\\}
is "the stub folder is first, and Path is one variable in any case" \
	"$(field '[.exec.env | to_entries[] | select(.key | ascii_downcase == "path") | .value] | tojson')" \
	"$(jq -cn --arg p "$home\\sbx-wintoken\\stubs;C:\\Windows" '[$p]')"
is "batch files come first in PATHEXT" "$(field .exec.env.PATHEXT)" ".BAT;.CMD;.COM;.EXE"
is "/dev/null has its name here" "$(field .exec.env.NULLED)" NUL
wrap '.policy.permissions.network = "on"'
is "a network that is on leaves the proxy alone" "$(field .exec.env.HTTP_PROXY)" "http://real:1"

# The plan of a document is the plan that is wrapped.
wrap .
field '.exec.argv[2]' >"$scratch/wrapped"
cp "$scratch/.in" "$scratch/wrapped.in"
plan <"$scratch/wrapped.in"
is "--plan prints the same" "$(jq -cS . <<<"$out")" "$(jq -cS . "$scratch/wrapped")"

wrap "$(entries 'C:\ws' write 'C:\x' none)"
is "what cannot be held is exit 4" "$status $(field '"\(.error.exit) \(.exec)"')" "4 4 null"
like "... and the entry is named" "$err" '^sbx-wrap: sbx-wintoken: permissions: "C:\\x"'
wrap '.policy.features = {}'
is "without the feature as well" "$status $(field .exec)" "4 null"
wrap '.command.argv = ["x", ("y" * 33000)]'
is "more than Windows takes in one line" "$status $(field .exec)" "3 null"
like "... said" "$err" 'characters; Windows takes'
wrap ".approval.decision = \"denied\""
is "what was denied is not wrapped" "$status $(field .exec)" "1 null"

# From sbx-policy on, with the paths of this system.
cd "$ws" || exit 1
policy() {
	"$SBX/sbx-policy" -s workspace-write -a never -c sandbox_workspace_write.exclude_slash_tmp=true "$@" 2>/dev/null
}
on=(-c features.enable_experimental_windows_sandbox=true)
policy "${on[@]}" -- cmd /c dir | "$SBX/sbx-approve" 2>/dev/null |
	"$SBX/sbx-select" --platform windows 2>/dev/null >"$scratch/selected"
is "selected" "$(jq -r '"\(.sandbox.type) \([.sandbox.lost[].guarantee] | join(" "))"' "$scratch/selected")" \
	"windows-restricted-token network world-writable-directories process-isolation cache-copies"
run "$SBX/sbx-wrap" --platform windows <"$scratch/selected"
is "the whole pipeline" "$status $(field '.exec.argv[4:] | join(" ")')" "0 cmd /c dir"
is "the workspace can be written" "$(field '.exec.argv[2] | fromjson | [.aces[] | select(.type == "allow").path] | tojson')" \
	"$(jq -cn --arg w "Z:${ws//\//\\}" '[$w]')"
is "... but not its .git" \
	"$(field '.exec.argv[2] | fromjson | [.aces[] | select(.type == "deny").path | select(endswith("ws\\.git"))] | length')" 1
policy -- cmd | "$SBX/sbx-approve" 2>/dev/null | "$SBX/sbx-select" --platform windows 2>/dev/null >"$scratch/selected"
run "$SBX/sbx-wrap" --platform windows <"$scratch/selected"
is "off by default: nothing runs" "$status $(field .exec)" "4 null"

# One bad document does not hold up the next.
{ windows "$(entries 'C:\x' none)"; windows; } >"$scratch/two"
stage sbx-wintoken <"$scratch/two"
is "a stream" "$status $(jq -r '.error.exit // .exec.argv[0]' <<<"$out" | tr '\n' ' ')" "4 4 sbx-wintoken.exe "
is "errors pass" "$("$SBX/sbx-wintoken" <<<'{"sbx":1,"error":{"stage":"s","code":"c","message":"m","exit":4}}')" \
	'{"sbx":1,"error":{"stage":"s","code":"c","message":"m","exit":4}}'
finish
