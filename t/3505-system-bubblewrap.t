#!/bin/bash
# The bubblewrap that runs outside is the system's or our own: no PATH, of the
# caller, a document or a project, names another.
. "${0%/*}/lib/lib.sh"
need USERNS
export HOME=$scratch/home
mkdir -p "$HOME/.codex" "$ws/node_modules/.bin" "$scratch/next/.codex"
marker=$outside/ran
bin=$ws/node_modules/.bin

# What a command of root's plants: root's own file, with every word that a
# bubblewrap is known by.
{
	printf '#!/bin/sh\necho ran >>%s\nexit 1\n' "$marker"
	printf '%s\0' --not-a-security-boundary --argv0 --ro-bind-fd --as-pid-1 --perms --args
} >"$scratch/planted"
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- \
	sh -c 'cat >"$1" && chmod 755 "$1"' sh "$bin/bwrap" <"$scratch/planted"
ok "the command planted it" [ -x "$bin/bwrap" ]
(cd / && "$bin/bwrap") 2>/dev/null
ok "control: who executes it runs it" exists "$marker"

# quiet WHAT: nothing has run
quiet() {
	ok "$1: it did not run" absent "$marker"
	rm -f "$marker"
}
rm -f "$marker"
next=("$SBX/sbx-run" -s workspace-write -a never -C "$scratch/next")
PATH=$bin:$PATH run "${next[@]}" -- true
quiet "the caller's PATH"
is "... and the run is held by another" "$status" 0
PATH=$bin:$PATH run "${next[@]}" -c 'sbx.bwrap="system"' -- true
quiet "the system's bubblewrap asked for"
run "${next[@]}" -c "shell_environment_policy.set.PATH=\"$bin:$PATH\"" -- true
quiet "set.PATH"
printf '[projects."%s"]\ntrust_level = "trusted"\n' "$scratch/next" >"$HOME/.codex/config.toml"
printf '[shell_environment_policy]\nset = { PATH = "%s" }\n' "$bin:$PATH" >"$scratch/next/.codex/config.toml"
run "${next[@]}" -- true
quiet "a trusted project's set.PATH"
rm -r "$scratch/next/.codex"
"$SBX/sbx-policy" -s workspace-write -a never -C "$scratch/next" -- true |
	jq -c --arg path "$bin:$PATH" '.command.env = {PATH: $path}' |
	"$SBX/sbx-approve" | "$SBX/sbx-select" | "$SBX/sbx-wrap" | "$SBX/sbx-run" --exec >/dev/null 2>&1
quiet "a document's environment"
PATH=$bin:$PATH run "$SBX/sbx-select" --probe
quiet "the probe"

# An old one has no --argv0: the inner stage is then known by its word.
system=/usr/bin/bwrap
if [ -x "$system" ] && ! grep -qa -e --argv0 "$system"; then
	run "${next[@]}" -c 'sbx.bwrap="system"' --json -- sh -c 'echo "$1"; touch "$2" 2>/dev/null || echo held' sh -x "$outside/new"
	is "one without --argv0" "$(jq -r '[.sandbox.backend, .result.exit_code, .result.stdout] | join(" ")' <<<"$out" | xargs)" "bubblewrap 0 -x held"
	ok "... and the policy is held" absent "$outside/new"
else
	skip "one without --argv0" "the bubblewrap of this machine has it, or there is none"
fi
finish
