#!/bin/bash
# Plans and arguments that nobody meant well: refused with one line, and
# nothing is started or changed.
. "${0%/*}/../lib/lib.sh"
. "${0%/*}/wine.sh"
echild=$(drive "$child")
good=$(cat "$scratch/plan")
mkdir "$scratch/elsewhere"

field_of() { jq -r "$1" <<<"$out"; }
refuses() { # TITLE PATTERN <plan
	cat >"$scratch/plan"
	launch "$echild" exit 7
	is "$1: 125" "$status $out" "125 "
	is "... one line" "$(grep -c . <<<"$err")" 1
	like "... that says it" "$err" "^sbx-wintoken: $2"
}
refuses "no plan" '.*no such plan' </dev/null
refuses "64 KiB of nothing" 'plan: ' < <(head -c 65536 /dev/zero)
refuses "64 KiB of brackets" 'plan: ' < <(printf '[%.0s' $(seq 65536))
refuses "64 KiB of noise" 'plan: ' < <(head -c 65536 /dev/urandom)
refuses "2 MiB" '.*larger than' < <(head -c 2097152 /dev/zero)
refuses "a NUL in a string" 'plan: ' < <(printf '%s' "${good/Z:/Z:\\u0000}")
refuses "a NUL behind it" 'plan: ' < <(printf '%s\0' "$good")
refuses "bytes that are not UTF-8" 'plan: ' < <(printf '{"sbx_plan":"\xff"}')
refuses "half of a surrogate pair" 'plan: ' < <(printf '{"sbx_plan":"\\ud800"}')
refuses "a level that is none" 'plan: windows_sandbox_level is "disabled"' < <(jq -c '.windows_sandbox_level = "disabled"' <<<"$good")
refuses "Everyone as a capability" 'plan: token.restricting_sids' < <(jq -c '.token.restricting_sids[0] = "S-1-1-0"' <<<"$good")
refuses "an entry for Everyone" 'plan: aces' < <(jq -c '.aces[0].sid = "S-1-1-0"' <<<"$good")
refuses "a job that can be left" 'plan: job' < <(jq -c '.job.breakaway = true' <<<"$good")
refuses "a stub elsewhere" 'plan: stubs' < <(jq -c '.stubs.files[0].name = "..\\..\\x.bat"' <<<"$good")
refuses "a member that nobody knows" 'plan: plan: has a member' < <(jq -c '.more = 1' <<<"$good")
is "nothing was made" "$(find "$CODEX_HOME" -name 'sbx-wintoken')" ""

# A directory that is not what the plan says.
ln -s "$scratch/elsewhere" "$ws/link"
jq -c --arg p "$(drive "$ws/link")" '.aces[1].path = $p' <<<"$good" >"$scratch/plan"
launch "$echild" exit 7
is "a link in place of a carve-out" "$status" 125
like "... is refused by name" "$err" '^sbx-wintoken: ".*link": (resolves to|a link)'
is "... and what it leads to is untouched" "$(find "$scratch/elsewhere" -mindepth 1)" ""
jq -c --arg p "$(drive "$ws/.git/hooks/deep")" '.aces[1].path = $p' <<<"$good" >"$scratch/plan"
launch cmd /c 'if exist .git\hooks\deep exit 42'
is "a carve-out far below is made with all above it" "$status" 42
is "... and goes with all of it" "$(find "$ws" -name '.git*')" ""
printf '%s' "$good" >"$scratch/plan"

# Long names, other letters.
deep=$ws
for i in 1 2 3; do deep+=/$(printf 'd%.0s' $(seq 100))$i; done
mkdir -p "$deep" "$ws/größe 😀"
jq -c --arg q "$(drive "$ws/größe 😀")" '.aces[1].path = $q' <<<"$good" >"$scratch/plan"
launch "$echild" exit 7
is "entries on paths in any letters" "$status" 7
printf '%s' "$good" >"$deep/plan"
run wine "$bin" --unenforced --plan-file "$(drive "$deep/plan")" -- "$echild" exit 7
is "a plan whose path has more than 260 characters" "$status" 7
# wine opens such a directory and cannot tell its name: no name, no run.
jq -c --arg p "$(drive "$deep")" '.aces[0].path = $p' <<<"$good" >"$scratch/plan"
launch "$echild" exit 7
is "a directory whose name the system does not tell is not trusted" "$status" 125
like "... and the call is named" "$err" '^sbx-wintoken: GetFinalPathNameByHandleW: Z:.*ddd.*\(error [0-9]+\)'
jq -c --arg q "$(drive "$ws/größe 😀")" '.cwd = $q' <<<"$good" >"$scratch/plan"
launch "$echild" cwd
is "a directory in other letters" "${out%$'\r'}" "$(drive "$ws/größe 😀")"
printf '%s' "$good" >"$scratch/plan"

# Usage.
run wine "$bin" --plan-json "$good" --unenforced -- "$echild" exit 9
is "the plan on the command line" "$status" 9
run wine "$bin" -- "$echild" exit 9
is "no plan" "$status" 125
run wine "$bin" --nonsense
is "an option that nobody knows" "$status" 2
run wine "$bin" --plan < <(jq -cn '{sbx: 1, command: {argv: ["x"], cwd: "C:\\ws"}, policy: {features: {}}}')
is "the launcher makes plans as well" "$status $(field_of .windows_sandbox_level)" "0 disabled"
cat >"$scratch/doc" < <(jq -cn '{sbx: 1, command: {argv: ["x"], cwd: "C:\\ws"},
	policy: {features: {enable_experimental_windows_sandbox: true},
		permissions: {fs: [{path: "/", access: "read"}, {path: "C:\\ws", access: "write"}], network: "off"}}}')
run wine "$bin" --plan <"$scratch/doc"
jq -cS . <<<"$out" >"$scratch/there"
is "... with the same SIDs" "$status $(jq -r '.capability_sids | length' "$scratch/there")" "0 1"
"$SBX/sbx-wintoken" --plan <"$scratch/doc" | jq -cS . >"$scratch/here"
is "... and the same plan as here" "$(diff "$scratch/here" "$scratch/there")" ""
finish
