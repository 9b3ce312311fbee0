#!/bin/bash
# The examples that people start from, end to end: --full-auto, the paranoid
# and the ci profile, and consent where there is no sandbox.
. "${0%/*}/lib/lib.sh"
need USERNS
export HOME=$scratch/home CODEX_HOME=$scratch/codex
mkdir -p "$HOME" "$CODEX_HOME"
cat >"$CODEX_HOME/config.toml" <<'END'
approval_policy = "on-request"
sandbox_mode = "workspace-write"

[profiles.paranoid]
approval_policy = "untrusted"
sandbox_mode = "read-only"

[profiles.paranoid.shell_environment_policy]
inherit = "core"
exclude = ["*TOKEN*", "*KEY*", "*SECRET*"]

[profiles.ci]
approval_policy = "never"
sandbox_mode = "read-only"
END
: >"$ws/file"
approver=$scratch/approver
printf '#!/bin/sh\ncat >>%s/asked\necho "{\\"decision\\":\\"approved\\"}"\n' "$scratch" >"$approver"
chmod 755 "$approver"
sbx() { run_sbx "${profile[@]}" -C "$ws" "$@"; }

profile=(--full-auto)
sbx -- sh -c 'echo x >made'
is "--full-auto: writes in the workspace, unasked" "$status $(cat "$ws/made")" "0 x"
sbx --approver "$approver" -- sh -c 'echo x >"$1"' sh "$outside/f"
isnt "--full-auto: not outside" "$status" 0
is "--full-auto: and asks nobody about it" "$(ls "$outside" "$scratch/asked" 2>/dev/null)" "$outside:"
sbx --approver "$approver" --escalate -- touch "$outside/f"
is "--full-auto: does not leave the sandbox" "$status $(ls "$outside")" "126 "

profile=(-p paranoid)
sbx -- ls
is "paranoid: a safe command runs" "$status $(grep -c file <<<"$out")" "0 1"
sbx -- bash -c 'ls | head -n 1'
is "paranoid: also a script of safe commands" "$status" 0
sbx -- touch "$ws/new"
is "paranoid: any other is asked, and there is nobody" "$status $(ls "$ws/new" 2>/dev/null)" "126 "
MY_TOKEN=x sbx --approver "$approver" -- sh -c 'echo "${MY_TOKEN-none}"; touch new'
is "paranoid: approved, it still does not see secrets" "$(head -n 1 <<<"$out")" none
is "paranoid: writing is asked for, and is all that is given" \
	"$(jq -rs '.[1] | .grant.write, .options[0]' "$scratch/asked" | tr -d '\n [:space:]')" "[\"$ws\"]grant"
ok "paranoid: approved, it writes" exists "$ws/new"
rm -f "$ws/new" "$scratch/asked"
sbx -- git status
is "paranoid: git is no safe command" "$status" 126

profile=(-p ci)
rm -f "$scratch/asked"
sbx --approver "$approver" -- sh -c 'cat file; echo analysed'
is "ci: reads, unasked" "$status $out" "0 analysed"
sbx --approver "$approver" -- touch "$ws/new"
isnt "ci: no writes, the failure is returned" "$status" 0
is "ci: nobody was asked" "$(ls "$ws/new" "$scratch/asked" 2>/dev/null)" ""
sbx --approver "$approver" --escalate -- true
is "ci: escalation is refused" "$status" 126

# Where no sandbox can hold the policy.
cat >"$scratch/without" <<'END'
#!/bin/bash
echo 0 >/proc/sys/user/max_user_namespaces || exit 99
exec "$@"
END
chmod 755 "$scratch/without"
without() { run unshare -Urm "$scratch/without" "$SBX/sbx-run" -s workspace-write -C "$ws" "$@"; }
mkdir -p "$ws/.git"
if unshare -Urm "$scratch/without" true 2>/dev/null; then
	without -a never -- touch "$ws/bare"
	if [ "$status" = 125 ]; then
		is "no sandbox, never: it does not run" "$(ls "$ws/bare" 2>/dev/null)" ""
		without -a on-request -- touch "$ws/bare"
		is "no sandbox, nobody to ask: it does not run" "$status $(ls "$ws/bare" 2>/dev/null)" "125 "
		rm -f "$scratch/asked"
		without -a on-request --approver "$approver" -- touch "$ws/bare"
		is "no sandbox, approved: it runs" "$status $(ls "$ws/bare")" "0 $ws/bare"
		is "asked once, as what it is" "$(jq -r .reason "$scratch/asked")" "no sandbox of this machine can hold the policy"
		rm -f "$ws/bare"
		without -a on-request --approver false -- touch "$ws/bare"
		is "no sandbox, denied: it does not run" "$status $(ls "$ws/bare" 2>/dev/null)" "126 "
		without -a on-request --require --approver "$approver" -- touch "$ws/bare"
		is "no sandbox, required: it does not run" "$status $(ls "$ws/bare" 2>/dev/null)" "125 "
	else
		skip "no sandbox" "Landlock alone holds this policy here"
	fi
fi
finish
