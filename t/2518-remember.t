#!/bin/bash
# What a project may do besides is kept in the user's own file, by option or by a key
# at the prompt, and counts where the project is; nothing else in the file changes.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/screen.sh"
need USERNS
export HOME=$scratch/home CODEX_HOME=$scratch/home/.codex TERM=dumb
mkdir -p "$HOME/cache" "$HOME/other" "$CODEX_HOME" "$ws/sub"
git -C "$ws" init -q
user=$CODEX_HOME/config.toml
cd "$ws" || exit 1
remember() { run "$SBX/sbx-policy" --remember "$@"; }
forget() { run "$SBX/sbx-policy" --forget "$@"; }
writes() { # WHERE FROM: does a run in FROM write there?
	rm -f "$1/x"
	(cd "$2" && "$SBX/sbx-run" -s workspace-write -a never --report off -- touch "$1/x" 2>/dev/null)
	[ -e "$1/x" ] && echo yes || echo no
}

is "control: it is closed" "$(writes "$HOME/cache" "$ws")" no
remember --add-dir "$HOME/cache"
is "kept" "$status $out" "0 $ws: may write $HOME/cache"
is "... as one line" "$(cat "$user")" "[projects.\"$ws\"]
sbx_write = [\"$HOME/cache\"]"
is "it counts" "$(writes "$HOME/cache" "$ws")" yes
is "in all of the project" "$(writes "$HOME/cache" "$ws/sub")" yes
is "nowhere else" "$(writes "$HOME/cache" "$outside")" no
remember --add-dir "$HOME/cache"
is "twice is once" "$(grep -c cache "$user")" 1
run_sbx -s read-only -a never -- touch "$HOME/cache/y"
isnt "not in read-only" "$status" 0
run "$SBX/sbx-policy" -s workspace-write --explain
like "explained with its place" "$out" "$HOME/cache +write +$user:2"
ok "protected names stay closed in it" bash -c '! "$1" -s workspace-write -a never --report off -- mkdir "$2/.git" 2>/dev/null' - "$SBX/sbx-run" "$HOME/cache"

printf '# mine\nmodel = "x" # here\n\n[projects."%s"] # p\nsbx_write = [ "%s", # why\n "/y" ]\n' "$ws" "$HOME/cache" >"$user"
before=$(cat "$user")
remember --add-dir "$HOME/other"
like "a list with comments is left to a person" "$status $err" '^3 .*by hand'
is "... untouched" "$(cat "$user")" "$before"
printf '# mine\nmodel = "x" # here\n\n[projects."%s"] # p\nsbx_write = [ "%s",\n "/y" ] # tail\ntrust_level = "trusted"\n' "$ws" "$HOME/cache" >"$user"
remember --add-dir "$HOME/other" --allow-host example.org:443
is "the rest of a file stays" "$(cat "$user")" "# mine
model = \"x\" # here

[projects.\"$ws\"] # p
hosts = [\"example.org:443\"]
sbx_write = [\"$HOME/cache\", \"/y\", \"$HOME/other\"] # tail
trust_level = \"trusted\""
forget --add-dir /y --add-dir "$HOME/other" --allow-host example.org:443
is "forgotten" "$status $(grep -c 'hosts\|/y\|other' "$user")" "0 0"
forget --add-dir "$HOME/cache"
like "the last one" "$status $err$(grep sbx_write "$user")" '^(0 |3 .*by hand)'
for wrong in '' '--add-dir /' '--add-dir /nowhere/x' '--add-dir /tmp -- /nowhere'; do
	# shellcheck disable=SC2086
	remember $wrong
	isnt "refused: --remember $wrong" "$status" 0
done
printf '[sandbox_workspace_write]\n' >"$user"
mkdir "$ws/.codex"
printf '[projects."%s"]\nsbx_write = ["%s"]\n' "$ws" "$HOME/cache" >"$ws/.codex/config.toml"
run "$SBX/sbx-policy" --trust "$ws"
is "a project cannot give itself anything" "$(writes "$HOME/cache" "$ws")" no
rm -r "$ws/.codex" "$user"

# By a key, after it was shown.
run "$SBX/sbx-policy" --trust "$ws"
at_screen 80 ry "$SBX/sbx-run" -- touch "$HOME/cache/asked"
is "r, y: it runs again with it" "$status $(ls "$HOME/cache")" "0 asked"
like "... shown before" "$(unfolded)" "project  $ws   write    $HOME/cache   file     $user"
is "... and written" "$(grep sbx_write "$user")" "sbx_write = [\"$HOME/cache\"]"
at_screen 80 '' "$SBX/sbx-run" -- touch "$HOME/cache/again"
is "... it is not asked again" "$status $(grep -c 'may this run' <<<"$rows")" "0 0"
forget --add-dir "$HOME/cache"
at_screen 80 rnn "$SBX/sbx-run" -- touch "$HOME/cache/no"
is "r, n: nothing is kept" "$(grep -c sbx_write "$user") $(ls "$HOME/cache")" "0 again
asked"
mkdir "$HOME/.ssh"
at_screen 80 rn "$SBX/sbx-run" -- touch "$HOME/.ssh/config"
unlike "what is sensitive is decided about each time" "$rows" '\[r\]'
at_screen 80 rn "$SBX/sbx-run" -- "$TRY" connect 192.0.2.7 443
unlike "the whole network is not kept" "$rows" '\[r\]'
finish
