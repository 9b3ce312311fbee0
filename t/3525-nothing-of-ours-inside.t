#!/bin/bash
# What a command can read of the processes around it holds nothing of ours:
# not whom we ask, not where the settings and rules are, not what is hidden.
. "${0%/*}/lib/lib.sh"
need USERNS
need FRESH_PROC # others see the processes outside, and say so
export HOME=$scratch/home
mkdir -p "$HOME/.codex/rules" "$outside/hidden-marker"
printf '#!/bin/sh\ncat >/dev/null\necho "{\\"decision\\":\\"approved\\"}"\n' >"$scratch/asks-marker"
chmod 755 "$scratch/asks-marker"
cat >"$HOME/.codex/config.toml" <<END
[sbx]
approver = ["$scratch/asks-marker", "--token-marker"]
[sbx.assessor]
command = ["$scratch/assess-marker"]
[permissions.p.filesystem]
":root" = "read"
":workspace_roots" = "write"
"$outside/hidden-marker" = "none"
END
# Everything that can be read of every other process; the names of mounts are no secret.
cat >"$scratch/look" <<'END'
for p in /proc/[0-9]*; do
	[ "$p" != "/proc/$$" ] || continue
	for f in cmdline environ comm; do
		{ tr '\0' '\n' <"$p/$f"; } 2>/dev/null
	done
	readlink "$p/exe" "$p/cwd" "$p/root" "$p"/fd/* 2>/dev/null
done | grep -a -e '[-]marker' >seen
exit 0
END
# nothing WHAT COMMAND...: of ours is in it
nothing() {
	local what=$1
	shift
	MY_SECRET_TOKEN=env-marker run "$@" -- sh "$scratch/look"
	is "$what" "$status $(head -c 600 "$ws/seen")" "0 "
}
sbx=("$SBX/sbx-run" -a never -C "$ws")
nothing "the configured approver" "${sbx[@]}" -s workspace-write
nothing "the approver of the command line" "${sbx[@]}" -s workspace-write --approver "$scratch/asks-marker --token-marker"
run "$SBX/sbx-run" -a untrusted -C "$ws" -s workspace-write --approver "$scratch/asks-marker" -- sh "$scratch/look"
is "... that was asked" "$status $(cat "$ws/seen")" "0 "
nothing "what a permission set hides" "${sbx[@]}" -P p
nothing "an option" "${sbx[@]}" -s workspace-write -c 'model="option-marker"' --justification 'words-marker'

cd "$ws" || exit 1
bash -c 'exec -a --process-marker sleep 60' &
kill_later $!
named() { grep -qa process-marker "/proc/$!/cmdline"; }
eventually 5 named
sh "$scratch/look"
like "control: outside, the look finds such words" "$(cat "$ws/seen")" 'process-marker'

# The helper's own command line has what it needs, and no more.
"$SBX/sbx-run" --dry-run "${sbx[@]:1}" -s workspace-write -- true >"$scratch/doc"
is "the policy that the helper gets" \
	"$(jq -r '.exec.argv as $a | $a[($a | index("--policy")) + 1] | fromjson | .sbx | keys | join(" ")' "$scratch/doc")" \
	"bwrap nested"
finish
