#!/bin/bash
# No lock that a command in the sandbox can take holds up a question, a learned
# rule or a decision about trust.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
need SANDBOX
need PROGRAM flock
export HOME=$scratch/home CODEX_HOME=$scratch/home/.codex TERM=dumb
mkdir -p "$CODEX_HOME/rules"
screen=$HELPER/screen
untrusted=$(doc '.policy.approval_policy = "untrusted"')
learned=$CODEX_HOME/rules/learned.rules
cat >"$scratch/approver" <<'END'
#!/bin/sh
cat >/dev/null
echo '{"decision":"approved","rule":"prefix_rule(pattern=[\"make\", \"test\"])"}'
END
chmod +x "$scratch/approver"

# hold FILE...: locks each of them from inside the sandbox, for as long as the test runs
hold() {
	for file; do
		"$SBX/sbx-run" -s workspace-write -a never --report off -C "$ws" -- \
			sh -c 'exec 9<"$1" && flock -x 9 && touch held && exec sleep 60' - "$file" >/dev/null 2>&1 &
		kill_later $!
	done
}
held() { [ -e "$ws/held" ]; }

: >"$learned"
hold "$learned"
ok "control: what can be read can be locked from inside" eventually 5 held
run timeout 60 "$SBX/sbx-approve" --approver "$scratch/approver" <<<"$untrusted"
like "a rule is learned all the same" "$(cat "$learned")" 'make'
run timeout 60 "$SBX/sbx-approve" --revoke-rule 'prefix_rule(pattern=["make", "test"])'
is "and revoked" "$status" 0
rm -f "$ws/held"
hold "$CODEX_HOME"
ok "control: so can a directory" eventually 5 held
run timeout 60 "$SBX/sbx-policy" --untrust "$ws"
is "a decision about trust is written all the same" "$status" 0
rm -f "$ws/held"

# The locks that are taken cannot be opened from inside at all.
run "$SBX/sbx-run" -s workspace-write -a never --report off -C "$ws" -- sh -c 'exec 9<"$1" && echo opened' - "$learned"
is "control: the file can" "$out" opened
for lock in "$CODEX_HOME"/rules/.*.lock; do
	for mode in '<' '>>'; do
		run "$SBX/sbx-run" -s workspace-write -a never --report off -C "$ws" -- sh -c "exec 9$mode\"\$1\" && echo opened" - "$lock"
		is "${lock##*/} cannot: $mode" "$out" ""
	done
	run "$SBX/sbx-run" -s workspace-write -a never --report off -C "$ws" -- chmod 644 "$lock"
	is "... nor made so" "$(stat -c %a "$lock")" 200
done

# The terminal itself is the command's too: it holds its lock while another asks.
printf '%s\n' "$untrusted" >"$scratch/doc"
cat >"$scratch/both" <<END
#!/bin/bash
exec 8</dev/tty
flock -x 8
timeout --foreground 50 "$SBX/sbx-approve" <"$scratch/doc" 2>/dev/null >"$scratch/result" 8<&-
END
chmod +x "$scratch/both"
"$screen" 80 80 y 'abort ' -- "$scratch/both" >"$scratch/rows"
is "a lock on the terminal stops no question" "$(jq -r .approval.by <"$scratch/result")" user

# One question at a time still.
cat >"$scratch/two" <<END
#!/bin/bash
"$SBX/sbx-approve" <"$scratch/doc" 2>/dev/null >"$scratch/one" &
"$SBX/sbx-approve" <"$scratch/doc" 2>/dev/null >"$scratch/result"
wait
END
chmod +x "$scratch/two"
"$screen" 80 80 yn 'abort ' -- "$scratch/two" >"$scratch/rows"
is "control: two questions come one after the other" "$(cat "$scratch/one" "$scratch/result" | jq -r .approval.decision | sort | xargs)" "approved denied"
finish
