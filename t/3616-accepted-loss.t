#!/bin/bash
# Where neither namespaces nor the broker can be had, protected paths are lost:
# that is refused, unless the user says that they may be; a project cannot.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/container.sh"
need LANDLOCK 3
need NOTIFY

export HOME=$scratch/home CODEX_HOME=$scratch/home/.codex
mkdir -p "$CODEX_HOME" "$ws/.git" "$ws/.codex"
echo good >"$ws/.git/config"
# Nobody can listen to system calls, and the broker neither.
bare=("${docker[@]}" "$TRY" unlistened)
accepting() { box=("${bare[@]}" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" "$@" --); }
script='echo x >.git/made; echo x >made; echo x >"$1/made"'

accepting
boxed sh -c "$script" - "$outside"
is "it is refused" "$status" 125
like "... and says what is lost" "$err" 'protected-paths'
ok "... before anything runs" absent "$ws/made"

accepting --accept-lost protected-paths
boxed sh -c "$script" - "$outside"
like "a person accepts it: said in every run" "$err" 'protected paths can be changed in this run.*"/tmp/\.[^"]+"'
ok "... it runs" test -e "$ws/made"
ok "... and they are lost" test -e "$ws/.git/made"
ok "... and nothing else is" absent "$outside/made"
run "${bare[@]}" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --accept-lost protected-paths --dry-run -- true
is "... and named" "$(jq -r '.sandbox.backend, .sandbox.lost[0].guarantee' <<<"$out")" "landlock
protected-paths"
rm -f "$ws/made" "$ws/.git/made"

echo 'sbx.accept_lost = ["protected-paths"]' >"$CODEX_HOME/config.toml"
accepting
boxed sh -c "$script" - "$outside"
ok "by the user's configuration as well" test -e "$ws/.git/made"
box=("${docker[@]}" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --)
rm -f "$ws/made" "$ws/.git/made"
boxed sh -c "$script" - "$outside"
ok "where they can be held, they are" absent "$ws/.git/made"
ok "... and the rest runs" test -e "$ws/made"
rm -f "$ws/made"

# What the next run believes stays, whatever is accepted.
accepting --add-dir "$HOME"
boxed sh -c 'echo x >"$1/config.toml"' - "$CODEX_HOME"
is "the configuration is not among them" "$status $(cat "$CODEX_HOME/config.toml")" \
	'125 sbx.accept_lost = ["protected-paths"]'
box=("${bare[@]}" "$SBX/sbx-run" -a never -C "$ws" -c 'permissions.p.extends=":workspace"'
	-c "permissions.p.filesystem={\"$ws/hidden\" = \"none\"}" -P p --)
boxed true
is "nor is what is hidden" "$status" 125

rm "$CODEX_HOME/config.toml"
echo 'sbx.accept_lost = ["protected-paths"]' >"$ws/.codex/config.toml"
"$SBX/sbx-policy" --trust "$ws" >/dev/null 2>&1
accepting
boxed true
is "a project, trusted or not, has no say" "$status" 125
run "$SBX/sbx-run" --accept-lost everything -- true
is "only what can be accepted" "$status" 125
finish
