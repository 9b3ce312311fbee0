#!/bin/bash
# A rule holds where it was given: learned in the sandbox it does not leave it,
# and it allows the command that was seen, not what begins like it.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
export HOME=$scratch/home CODEX_HOME=$scratch/codex TERM=dumb
mkdir -p "$HOME" "$CODEX_HOME/rules"
learned=$CODEX_HOME/rules/learned.rules
screen=$HELPER/screen
untrusted=$(doc '.policy.approval_policy = "untrusted"')
escalated=$(jq -c '.command.escalate = true' <<<"$untrusted")
by() { field '"\(.approval.decision) \(.approval.by) \(.approval.grant | tojson)"'; }

# at_terminal KEYS DOCUMENT: answers at a prompt
at_terminal() {
	printf '%s\n' "$2" >"$scratch/doc"
	printf '#!/bin/sh\nexec "%s" <"%s" 2>/dev/null >"%s"\n' "$SBX/sbx-approve" "$scratch/doc" "$scratch/result" >"$scratch/ask"
	chmod +x "$scratch/ask"
	"$screen" 80 80 "$1" '[n] ' -- "$scratch/ask" >"$scratch/.out"
}

at_terminal ry "$untrusted"
ok "a rule is learned in the sandbox" [ -s "$learned" ]
stage sbx-approve <<<"$untrusted"
is "control: it allows the command there" "$(by)" "approved rule null"
stage sbx-approve <<<"$escalated"
is "it does not run the command outside" "$status $(by)" "1 denied none null"
stage sbx-approve < <(jq -c '.command.preference = "forbid"' <<<"$untrusted")
is "nor where a sandbox is forbidden" "$status $(by)" "1 denied none null"
stage sbx-approve < <(jq -c '.policy.sandbox_policy.type = "danger-full-access"' <<<"$untrusted")
is "nor with full access, where there is none" "$status $(by)" "1 denied none null"
stage sbx-approve < <(jq -c '.command.argv += ["EVIL=1"]' <<<"$untrusted")
is "it is the whole command: no more words" "$status $(by)" "1 denied none null"
rm "$learned"
at_terminal rmy "$untrusted"
stage sbx-approve < <(jq -c '.command.argv += ["V=1"]' <<<"$untrusted")
is "control: the person can widen it" "$(by)" "approved rule null"
rm "$learned"

# Answers of an approver: the question says what it is an answer to.
cat >"$scratch/approver" <<'END'
#!/bin/sh
cat >/dev/null; cat "${0%/*}/answer"
END
chmod +x "$scratch/approver"
answer() { jq -cn --arg rule "$1" '{decision: "approved", rule: $rule}' >"$scratch/answer"; }
answer 'prefix_rule(pattern=["make", "test"], decision="allow")'
stage sbx-approve --approver "$scratch/approver" <<<"$untrusted"
stage sbx-approve <<<"$untrusted"
is "control: a rule in an answer counts" "$(by)" "approved rule null"
stage sbx-approve <<<"$escalated"
is "but not outside" "$status $(by)" "1 denied none null"
rm "$learned"
answer 'prefix_rule(pattern=["make", "test"], decision="allow", where="outside")'
stage sbx-approve --approver "$scratch/approver" <<<"$untrusted"
ok "a question about the sandbox gives no rule for outside" [ ! -s "$learned" ]
stage sbx-approve --approver "$scratch/approver" <<<"$escalated"
stage sbx-approve <<<"$escalated"
is "control: a question about outside does" "$(by)" 'approved rule {"sandbox":"none"}'

# What an older version saved did not say where.
echo 'prefix_rule(pattern=["make"], decision="allow")' >"$learned"
stage sbx-approve <<<"$escalated"
is "an old learned rule does not leave the sandbox" "$status $(by)" "1 denied none null"
rm "$learned"

# Written by hand: as the manual says, outside too, unless it says otherwise.
hand=$CODEX_HOME/rules/default.rules
echo 'prefix_rule(pattern=["make"])' >"$hand"
stage sbx-approve <<<"$escalated"
is "a rule of the user's own holds outside" "$(by)" 'approved rule {"sandbox":"none"}'
echo 'prefix_rule(pattern=["make"], where="sandbox")' >"$hand"
stage sbx-approve <<<"$escalated"
is "unless it says where" "$status $(by)" "1 denied none null"
stage sbx-approve <<<"$untrusted"
is "control: there it holds" "$(by)" "approved rule null"
echo 'prefix_rule(pattern=["make"], where="everywhere")' >"$hand"
stage sbx-approve <<<"$untrusted"
is "another word is an error" "$status" 3

# Outside, the program has to be one that no sandbox could have put there.
mkdir -p "$ws/bin" "$scratch/own"
for place in "$ws/bin" "$scratch/own"; do
	printf '#!/bin/sh\n' >"$place/tool" && chmod +x "$place/tool"
done
ln -s "$ws/bin/tool" "$scratch/own/link"
for path in "$ws/bin/tool" "$scratch/own/link"; do
	printf 'prefix_rule(pattern=["%s"])\n' "$path" >"$hand"
	stage sbx-approve < <(jq -c --arg p "$path" '.command.argv[0] = $p' <<<"$escalated")
	is "a rule for ${path#"$scratch/"}, which the sandbox can write, does not leave it" "$status $(by)" "1 denied none null"
done
printf 'prefix_rule(pattern=["%s"])\n' "$scratch/own/tool" >"$hand"
stage sbx-approve < <(jq -c --arg p "$scratch/own/tool" '.command.argv[0] = $p' <<<"$escalated")
is "control: one that it cannot write" "$(by)" 'approved rule {"sandbox":"none"}'
echo 'prefix_rule(pattern=["make"])' >"$hand"
for variable in LD_PRELOAD MAKEFLAGS NODE_OPTIONS; do
	stage sbx-approve < <(jq -c --arg v $variable --arg p "$PATH" '.command.env = {PATH: $p, ($v): "x"}' <<<"$escalated")
	[ $variable = MAKEFLAGS ] || is "the document's $variable makes it another command" "$status $(by)" "1 denied none null"
done
stage sbx-approve < <(jq -c --arg p "$PATH" '.command.env = {PATH: $p}' <<<"$escalated")
is "control: a plain environment does not" "$(by)" 'approved rule {"sandbox":"none"}'

# From end to end: what was agreed to in the sandbox writes nothing outside it.
rm -f "$hand"
printf 'all:\n\ttrue\n' >"$ws/Makefile"
answer 'prefix_rule(pattern=["make", "all"], decision="allow", rest="any")'
run_sbx -s workspace-write -a untrusted -C "$ws" --approver "$scratch/approver" -- make all
ok "a rule was saved on the way" [ -s "$learned" ]
printf 'all:\n\techo x >"%s/made"\n' "$outside" >"$ws/Makefile"
run_sbx -s workspace-write -a untrusted -C "$ws" --escalate -- make all
ok "and nothing outside is written by it" absent "$outside/made"
sed -i 's/)$/, where="outside")/' "$learned"
run_sbx -s workspace-write -a untrusted -C "$ws" --escalate -- make all
ok "control: a rule for outside writes it" exists "$outside/made"
finish
