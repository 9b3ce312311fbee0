#!/bin/bash
# At a terminal a project that nobody decided about is asked about, once: what is
# shown, what every answer stores, and when nothing is asked.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/screen.sh"
need USERNS
export HOME=$scratch/home CODEX_HOME=$scratch/home/.codex TERM=dumb
mkdir -p "$HOME/.ssh"
git -C "$ws" init -q
user=$CODEX_HOME/config.toml
cd "$ws" || exit 1

# ask KEYS [OPTION...]: touches a file; what was stored is left in $stored
ask() {
	local keys=$1
	shift
	rm -f "$ws/made"
	at_screen 80 "$keys" "$SBX/sbx-run" "$@" -- touch made
	stored=$(grep -v '^\[' "$user" 2>/dev/null | paste -sd ' ')
	made=$([ ! -e "$ws/made" ] || echo made)
}
question='do you trust this project'

ask y
is "yes: it runs, and writes" "$status $made" "0 made"
is "... stored as --trust stores it" "$(cat "$user")" "[projects.\"$ws\"]
trust_level = \"trusted\""
like "... the question says what it is about" "$(unfolded)" "$question.*project  $ws.*write in it.*reach nobody over the network"
like "... and how to undo it" "$(unfolded)" "undo with: sbx-policy --untrust $ws"
ask ''
is "it is asked once" "$status $made $(grep -c "$question" <<<"$rows")" "0 made 0"
run "$SBX/sbx-policy" --untrust "$ws"
is "undone as it said" "$status" 0
ask n
is "a project that is not trusted is not asked about" "$(grep -c "$question" <<<"$rows") $made" "0 "

rm "$user"
ask h
is "yes, and secrets hidden" "$status $made $stored" '0 made trust_level = "trusted" sbx_hide = "secrets"'
run_sbx -a never -C "$ws" -- ls "$HOME/.ssh"
isnt "... they are, in every run" "$status" 0
run "$SBX/sbx-policy" -C "$ws" --explain
like "... with its source" "$out" "\\.ssh +none +$user:3"
run "$SBX/sbx-policy" --untrust "$ws"
is "... and that is undone with it" "$(grep -v '^\[' "$user")" 'trust_level = "untrusted"'
run "$SBX/sbx-policy" --trust --hide secrets "$ws"
is "the same by option" "$status $out $(grep -c sbx_hide "$user")" "0 $ws: trusted, secrets hidden 1"
run "$SBX/sbx-policy" --trust --hide gitignored "$ws"
is "... and what git ignores" "$status $(grep sbx_hide "$user")" '0 sbx_hide = "gitignored"'
rm "$user"
ask g
is "... and by its key" "$status $made $stored" '0 made trust_level = "trusted" sbx_hide = "gitignored"'
run "$SBX/sbx-policy" --trust --hide /x "$ws"
like "other paths are not" "$status $err" '^2 .*expected secrets'

rm "$user"
ask nn
is "no: stored, and nothing is written" "$made $stored" ' trust_level = "untrusted"'
like "... undone by" "$(unfolded)" "undo with: sbx-policy --trust $ws"
rm "$user"
ask ln
is "not now: nothing is stored" "$made $(cat "$user" 2>/dev/null)" " "
ask q
is "abort: nothing runs" "$status $made $(cat "$user" 2>/dev/null)" "126  "
like "... in one line" "$rows" '^sbx-run: not run: you said no'
ask xln
is "other keys are no answer" "$(cat "$user" 2>/dev/null)" ""

# What the project's own files would widen is seen before, and just that is trusted.
mkdir .codex
printf '[sandbox_workspace_write]\nnetwork_access = true\n' >.codex/config.toml
ask y
like "what its files widen is shown" "$(unfolded)" "its file .*config.toml:2: widens: sandbox_workspace_write.network_access = true"
like "... and remembered by its digest" "$stored" 'sbx_config = "sha256:'
run "$SBX/sbx-policy" -C "$ws" -- true
is "... it counts" "$(jq -r .policy.permissions.network <<<"$out")" on
rm "$user"
printf '[sandbox_workspace_write]\n"network_access" = true # \\u001b\n"\\u001b[2J\\n  project  /safe" = 1\n' >.codex/config.toml
ask ln
unlike "no text of a project makes a row" "$rows" '^ *project  /safe'
echo 'not toml' >.codex/config.toml
ask n
is "a file that cannot be read: nobody is asked to trust it" "$(grep -c "$question" <<<"$rows")" 0
like "... and it is said" "$(unfolded)" 'no decision about this project: '
rm -r .codex

# When nothing is asked.
unasked() {
	local what=$1
	shift
	rm -f "$user"
	at_screen 80 nn "$@"
	is "unasked: $what" "$(grep -c "$question" <<<"$rows")" 0
}
unasked "-s was given" "$SBX/sbx-run" -s read-only -- true
unasked "-a never" "$SBX/sbx-run" -a never -- true
unasked "--auto" "$SBX/sbx-run" --auto -- true
unasked "-P" "$SBX/sbx-run" -P :workspace -- true
unasked "--json" "$SBX/sbx-run" --json -- true
unasked "--dry-run" "$SBX/sbx-run" --dry-run -- true
unasked "--explain" "$SBX/sbx-run" --explain -- true
unasked "an approver" "$SBX/sbx-run" --approver /bin/true -- true
unasked "a session" env SBX_SESSION=/nowhere "$SBX/sbx-run" -- true
unasked "in the home directory" sh -c 'cd && exec "$1" -- true' - "$SBX/sbx-run"
unasked "stderr is no terminal" sh -c 'exec "$1" -- true 2>/dev/null' - "$SBX/sbx-run"
run setsid -w "$SBX/sbx-run" -- true
is "unasked: no terminal" "$status $(cat "$user" 2>/dev/null)" "0 "
# Said when it is so: where nothing can be written, nothing is trusted.
unwritable='trap "" XFSZ; ulimit -f 0; '
run sh -c "{ $unwritable\"\$1\" --trust \"\$2\"; echo status=\$? >&2; } 2>&1 | cat" - "$SBX/sbx-policy" "$ws"
is "a full disk: the option does not say that it is trusted" "$(grep -c ': trusted' <<<"$out") $(grep -c 'config.toml": File too large' <<<"$out")" "0 1"
# What a command may write is limited as well, and this one writes nothing.
at_screen 80 y sh -c "$unwritable\"\$1\" -- true" - "$SBX/sbx-run"
is "... nor does the question" "$(grep -c 'undo with' <<<"$rows") $(grep -c 'no decision about this project' <<<"$rows")" "0 1"
at_screen 80 l "$SBX/sbx-run" -- true
is "control: without any of these it is" "$(grep -c "$question" <<<"$rows")" 1
finish
