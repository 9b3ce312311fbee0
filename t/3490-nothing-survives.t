#!/bin/bash
# After a question nothing of the one who was asked is left: not after a
# time-out, and not when the one who asked is killed.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
export HOME=$scratch/home CODEX_HOME=$scratch/codex XDG_RUNTIME_DIR=$scratch/run
mkdir -p "$HOME" "$CODEX_HOME"
mkdir -m 700 "$XDG_RUNTIME_DIR"
untrusted=$(doc '.policy.approval_policy = "untrusted"')

# Children of every kind: one that ignores SIGTERM, one in a group and one in a
# session of its own, and one whose parent has ended.  Each has a mark.
mark=sbx-mark-$$
cat >"$scratch/approver" <<END
#!/bin/bash
trap '' TERM HUP INT
exec 2>/dev/null
bash -c 'trap "" TERM HUP; exec -a $mark-term sleep 300' &
setsid bash -c 'exec -a $mark-session sleep 300' &
(setsid bash -c 'exec -a $mark-orphan sleep 300' &)
bash -c 'exec -a $mark-child sleep 300' &
touch $scratch/up
exec -a $mark-self sleep 300
END
chmod +x "$scratch/approver"
alive() { pgrep -f "^$mark" | wc -l; }
gone() { [ "$(alive)" = 0 ]; }
up() { [ -e "$scratch/up" ] && [ "$(alive)" -ge 5 ]; }
clear_all() {
	pgrep -f "^$mark" | xargs -r kill -KILL 2>/dev/null
	rm -f "$scratch/up"
}

stage sbx-approve --approver "$scratch/approver" --approver-timeout 1 <<<"$untrusted"
is "a time-out is a denial" "$status" 1
ok "control: they were there" [ -e "$scratch/up" ]
eventually 5 gone
is "and nothing of the approver is left" "$(alive)" 0
clear_all

# The assessor: five seconds are its limit.
assessed=$(jq -c --arg a "$scratch/approver" '.policy.features.experimental_sandbox_command_assessment = true
	| .policy.sbx.assessor.command = [$a]' <<<"$untrusted")
stage sbx-approve <<<"$assessed"
ok "control: the assessor was started" [ -e "$scratch/up" ]
eventually 5 gone
is "nothing of the assessor is left" "$(alive)" 0
clear_all

# The one who asks is killed while the question is open.
"$SBX/sbx-approve" --approver "$scratch/approver" <<<"$untrusted" >"$scratch/.out" 2>&1 &
asking=$!
ok "control: all of them run" eventually 5 up
kill -KILL $asking
{ wait $asking; } 2>/dev/null
eventually 5 gone
is "sbx-approve is killed: nothing is left" "$(alive)" 0
clear_all

"$SBX/sbx-run" -s workspace-write -a untrusted -C "$ws" --approver "$scratch/approver" -- make >"$scratch/.out" 2>&1 &
asking=$!
ok "control: all of them run" eventually 5 up
kill -KILL $asking
{ wait $asking; } 2>/dev/null
eventually 5 gone
is "sbx-run is killed: nothing is left" "$(alive)" 0
clear_all

printf '%s\n' "$untrusted" >"$scratch/doc"
for signal in KILL TERM; do
	"$SBX/sbx-approve" --serve --approver "$scratch/approver" -- sh -c "exec '$SBX/sbx-approve' <'$scratch/doc'" >"$scratch/.out" 2>&1 &
	asking=$!
	ok "control: all of them run" eventually 5 up
	kill -$signal $asking
	{ wait $asking; } 2>/dev/null
	eventually 5 gone
	is "the session is ended by $signal: nothing is left" "$(alive)" 0
	clear_all
done

# What is not late is left alone.
printf '#!/bin/sh\ncat >/dev/null\necho "{\\"decision\\":\\"approved\\"}"\nexec >/dev/null\nbash -c "exec -a %s-kept sleep 300" &\n' "$mark" >"$scratch/approver"
stage sbx-approve --approver "$scratch/approver" <<<"$untrusted"
is "an answer in time counts" "$status" 0
clear_all
finish
