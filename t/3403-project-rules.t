#!/bin/bash
# A project's rules allow only as somebody saw them; they can be stricter at
# any time.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"

repository "$ws"
rules=$ws/.codex/rules
mkdir -p "$rules" "$HOME/.codex/rules"
in_rules() { printf '%s\n' "$@" >"$rules/a.rules"; }
# Nobody is there to be asked: only a rule lets the command run.
runs() {
	rm -f "$ws/ran"
	run "$SBX/sbx-run" -a untrusted -s workspace-write -C "$ws" -- "$@" "$ws/ran"
	exists "$ws/ran"
}
touch=$(command -v touch)

config "$(trusted "$ws")"
not_ok "control: without a rule it is not allowed" runs touch
in_rules 'prefix_rule(["touch"])' 'prefix_rule(["rm"], "forbidden")'
not_ok "trusted, and nobody looked at the rules: they allow nothing" runs touch
is "... one line says so" "$(grep -c "rules\": not reviewed yet.*sbx-policy --trust $ws" "$scratch/.err")" 1
run "$SBX/sbx-policy" --trust "$ws"
is "--trust shows what they allow" "$out" "$rules/a.rules:1: widens: prefix_rule([\"touch\"])
$ws: trusted"
like "... and keeps their digest" "$(cat "$user")" '^sbx_rules = "sha256:[0-9a-f]{64}"$'
ok "control: looked at, they allow" runs touch
is "... in silence" "$err" ""

# Changed, in every way.
changed() {
	not_ok "changed, they allow nothing: $1" runs touch
	like "... which is said: $1" "$err" 'rules": changed since it was trusted'
}
in_rules 'prefix_rule(["touch"])' 'prefix_rule(["rm"], "forbidden")' '# more'
changed "a line more"
run "$SBX/sbx-run" -a untrusted -s workspace-write -C "$ws" -- rm -f "$ws/x"
is "... what is stricter counts" "$status $(grep -c '^sbx-run: .*a.rules:2' "$scratch/.err")" "126 1"
in_rules 'prefix_rule(["touch"])' 'prefix_rule(["rm"], "forbidden")'
ok "control: as they were" runs touch
echo 'prefix_rule(["ls"], "prompt")' >"$rules/b.rules"
changed "another file"
rm "$rules/b.rules"
mv "$rules/a.rules" "$rules/c.rules"
changed "another name"
head -n 1 "$rules/c.rules" >"$rules/a.rules" && tail -n 1 "$rules/c.rules" >"$rules/b.rules" && rm "$rules/c.rules"
changed "the same lines in two files"
rm "$rules"/*
in_rules 'prefix_rule(["touch"])' 'prefix_rule(["rm"], "forbidden")'
ok "control: as they were, again" runs touch

# What a program's name means is the user's to say, too.
rm "$rules/a.rules"
"$SBX/sbx-policy" --trust "$ws" >/dev/null
not_ok "no rules any more: no digest" grep -q sbx_rules "$user"
echo 'prefix_rule(["touch"])' >"$HOME/.codex/rules/own.rules"
not_ok "control: a rule of the user's means the bare name" runs "$touch"
in_rules "host_executable(\"touch\", [\"$touch\"])"
not_ok "the project cannot say which file that is" runs "$touch"
run "$SBX/sbx-policy" --trust "$ws"
like "... before somebody looked" "$out" 'a.rules:1: widens: host_executable\("touch"\)'
ok "control: looked at, it can" runs "$touch"

# A worktree borrows no rules.
rm "$HOME/.codex/rules/own.rules" "$rules/a.rules" && rm -r "$ws/.git"
git init -q "$ws"
git -C "$ws" -c user.name=n -c user.email=e commit -q --allow-empty -m 1
git -C "$ws" worktree add -q "$scratch/tree" -b other
in_rules 'prefix_rule(["touch"])'
look
ok "control: in the main checkout they allow" runs touch
run "$SBX/sbx-run" -a untrusted -s workspace-write -C "$scratch/tree" -- touch "$scratch/tree/ran"
ok "in a worktree they do not" absent "$scratch/tree/ran"

# A document from elsewhere is not more than one from here.
run "$SBX/sbx-policy" -a untrusted -s workspace-write -C "$ws" -- touch "$ws/x"
is "the document carries the digest that the user's file holds" "\"$(ask .policy.trust.rules)\"" \
	"$(sed -n 's/^sbx_rules = //p' "$user")"
in_rules 'oops'
run "$SBX/sbx-policy" --trust "$ws"
is "rules with an error are not trusted" "$status" 3
finish
