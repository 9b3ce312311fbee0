#!/bin/bash
# Rules: the notation, what matches, which decision wins, learning and forgetting.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
export HOME=$scratch/home PATH=/usr/local/bin:/usr/bin:/bin CODEX_HOME=$scratch/codex
mkdir -p "$HOME" "$CODEX_HOME/rules"

verdict() { # FILE-TEXT COMMAND...
	printf '%s\n' "$1" >"$scratch/r.rules"
	shift
	run "$SBX/sbx-approve" --check-rules "$scratch/r.rules" -- "$@"
	[ "$status" = 0 ] && jq -r '.decision // "none"' <<<"$out" || echo "error: $err"
}
decides() { # EXPECTED RULES COMMAND...
	local want=$1 text=$2
	shift 2
	is "$want: $text: $*" "$(verdict "$text" "$@")" "$want"
}
git='prefix_rule(pattern=["git", ["status", "log"]])'
decides allow "$git" git status -s
decides allow "$git" git log
decides none "$git" git push
decides none "$git" git
decides none "$git" gitk status
decides allow 'prefix_rule(["make"], "allow")' make all
decides prompt 'prefix_rule(pattern = ["make"], decision = "prompt",)' make all
decides forbidden "prefix_rule(pattern=['make'], decision='forbidden')" make all
decides forbidden $'prefix_rule(pattern=["make"])\nprefix_rule(pattern=["make"], decision="forbidden")' make
decides forbidden $'prefix_rule(pattern=["make"], decision="forbidden")\nprefix_rule(pattern=["make", "x"])' make x
decides allow $'# comment\nprefix_rule( # here too\n\tpattern = [\n\t\t"make",\n\t],\n)' make
# Strictest over all parts.
both=$'prefix_rule(pattern=["ls"])\nprefix_rule(pattern=["rm"], decision="forbidden")\nprefix_rule(pattern=["curl"], decision="prompt")'
decides forbidden "$both" bash -c 'ls && rm x'
decides prompt "$both" bash -c 'ls | curl x'
decides allow "$both" bash -c 'ls && ls -l'
decides none "$both" bash -c 'ls && make'
decides forbidden "$both" bash -c "$(printf 'ls; %.0s' $(seq 10000)) rm x"
decides forbidden "$both" bash -c 'ls > x; for i in *; do rm $i; done'
decides forbidden "$both" env X=1 rm x
decides forbidden "$both" /bin/rm x
decides forbidden "$both" ./rm x
decides forbidden "$both" sudo -u me rm x
decides none "$both" bash -c 'ls $(x)'
# An allowing rule is about the program that is known by the name.
decides none "$git" ./git status
decides none "$git" /usr/bin/git status
host=$git$'\nhost_executable(name="git", paths=["/usr/bin/git"])'
decides allow "$host" /usr/bin/git status
decides none "$host" /tmp/git status
decides none "$host"$'\nhost_executable(name="git", paths=[])' /usr/bin/git status
# Time and place.
decides allow 'prefix_rule(pattern=["make"], expires="2999-01-01")' make
decides none 'prefix_rule(pattern=["make"], expires="2001-01-01T00:00:00Z")' make
cd "$ws" || exit 1
decides allow "prefix_rule(pattern=[\"make\"], project=\"$ws\")" make
decides none "prefix_rule(pattern=[\"make\"], project=\"$outside\")" make
# Examples.
decides allow 'prefix_rule(pattern=["a", "b"], match=["a b c", ["a", "b"]], not_match=["a", ["b"]])' a b
run "$SBX/sbx-approve" --check-rules "$scratch/r.rules" -- a b
is "the verdict as JSON" "$(jq -c '.matchedRules[0].prefixRuleMatch | [.matchedPrefix, .decision]' <<<"$out")" \
	'[["a","b"],"allow"]'

wrong() { # DESCRIPTION TEXT PATTERN
	printf '%s\n' "$2" >"$scratch/r.rules"
	run "$SBX/sbx-approve" --check-rules "$scratch/r.rules" -- x
	is "error: $1" "$status" 3
	like "... names the file and line" "$err" "^sbx-approve: $scratch/r.rules:$3"
}
wrong "an example that does not match" 'prefix_rule(pattern=["a"], match=["b"])' '1: .*match.*"b"'
wrong "an example that should not match" 'prefix_rule(pattern=["a"], not_match=["a b"])' '1: .*not_match'
wrong "an expression" 'prefix_rule(pattern=["a" + "b"])' '1: '
wrong "a variable" $'\nx = 1' '2: '
wrong "a loop" 'for x in y: pass' '1: '
wrong "an f-string" 'prefix_rule(pattern=[f"a"])' '1: '
wrong "a function that is not known" 'load("x")' '1: load: not one of'
wrong "an argument that is not known" 'prefix_rule(pattern=["a"], x="y")' '1: .*"x"'
wrong "an argument twice" 'prefix_rule(["a"], pattern=["a"])' '1: .*twice'
wrong "no pattern" 'prefix_rule(decision="allow")' '1: .*pattern'
wrong "an empty pattern" 'prefix_rule(pattern=[])' '1: .*pattern'
wrong "empty alternatives" 'prefix_rule(pattern=["a", []])' '1: .*pattern'
wrong "a decision that is none" 'prefix_rule(pattern=["a"], decision="yes")' '1: .*decision'
wrong "a blank justification" 'prefix_rule(pattern=["a"], justification=" ")' '1: .*justification'
wrong "a time that is none" 'prefix_rule(pattern=["a"], expires="soon")' '1: .*expires'
wrong "a host path that is not absolute" 'host_executable(name="a", paths=["a"])' '1: .*paths'
wrong "a host path of another name" 'host_executable(name="a", paths=["/b"])' '1: .*paths'
wrong "an open string" $'prefix_rule(pattern=["a])\n' '1: '
wrong "two calls on a line" 'prefix_rule(["a"]) prefix_rule(["b"])' '1: '
wrong "triple quotes" 'prefix_rule(["""a"""])' '1: '
wrong "an open call" $'prefix_rule(["a"]\n\n' '[0-9]+: '
wrong "the line, far down" $'prefix_rule(["a"])\n\n# x\nprefix_rule(["a"], "x")' '4: .*decision'

# In documents: where rules are read, and who may have written them.
decision() { field '"\(.approval.decision) \(.approval.by)"'; }
untrusted='.policy.approval_policy = "untrusted"'
echo 'prefix_rule(pattern=["make"])' >"$CODEX_HOME/rules/a.rules"
stage sbx-approve < <(doc "$untrusted")
is "a rule of the user allows" "$status $(decision)" "0 approved rule"
stage sbx-approve < <(doc "$untrusted | .command.argv = [\"sh\", \"-c\", \"make; rm -rf x\"]")
is "not what it does not name" "$status $(decision)" "1 denied none"
stage sbx-approve < <(doc "$untrusted | .command.argv = [\"sh\", \"-c\", \"make && ls\"]")
is "with a safe command beside it" "$status" 0
stage sbx-approve < <(doc ".command.escalate = true")
is "a rule answers the question of leaving the sandbox" "$status $(decision) $(field ".approval.grant | tojson")" \
	'0 approved rule {"sandbox":"none"}'
stage sbx-approve < <(doc "$untrusted | .policy.permissions.fs += [{path: \"$CODEX_HOME\", access: \"write\"}]")
is "a rule that the sandbox can write allows nothing" "$status $(decision)" "1 denied none"
stage sbx-approve < <(doc "$untrusted | .command.env = {PATH: \"$ws:/usr/bin\"}")
is "control: make is not in the workspace" "$status" 0
cp /bin/true "$ws/make"
stage sbx-approve < <(doc "$untrusted | .command.env = {PATH: \"$ws:/usr/bin\"}")
is "a make that the sandbox can write is not meant" "$status" 1
rm "$ws/make"
echo 'prefix_rule(pattern=["make"], decision="forbidden", justification="use ninja")' >"$CODEX_HOME/rules/b.rules"
stage sbx-approve < <(doc '.policy.approval_policy = "never" | .policy.sandbox_policy.type = "danger-full-access"')
is "forbidden is forbidden, also with full access and never" "$status $(decision)" "1 denied rule"
like "... and says why and where" "$err" 'b.rules:1\): use ninja'
echo 'prefix_rule(pattern=["make"], decision="prompt")' >"$CODEX_HOME/rules/b.rules"
stage sbx-approve < <(doc .)
is "a rule that asks, asks" "$status $(decision)" "1 denied none"
stage sbx-approve < <(doc '.policy.approval_policy = "never"')
is "and is refused under never" "$status $(decision)" "1 denied policy"
stage sbx-approve < <(doc '.policy.approval_policy = "never" | .policy.sandbox_policy.type = "danger-full-access"')
is "but for full access and never" "$status" 0
rm "$CODEX_HOME/rules/b.rules" "$CODEX_HOME/rules/a.rules"
mkdir -p "$ws/.codex/rules"
echo 'prefix_rule(pattern=["make"])' >"$ws/.codex/rules/p.rules"
protected=".policy.permissions.fs += [{path: \"$ws/.codex\", access: \"read\"}]"
trusted=".policy.trust = {level: \"trusted\", path: \"$ws\"}"
seen="$trusted | .policy.trust.rules = \"$("$SBX/sbx-approve" --project-rules "$ws" | head -n 1)\""
stage sbx-approve < <(doc "$untrusted | $protected | .policy.trust = {level: \"untrusted\", path: \"$ws\"}")
is "rules of a project that is not trusted are not read" "$status" 1
stage sbx-approve < <(doc "$untrusted | $protected | $trusted")
is "of one that is, nobody has looked at them" "$status $(decision)" "1 denied none"
stage sbx-approve < <(doc "$untrusted | $protected | $seen")
is "as somebody saw them, they allow" "$status $(decision)" "0 approved rule"
stage sbx-approve < <(doc "$untrusted | $seen")
is "unless the sandbox can write them" "$status" 1
echo 'oops' >"$ws/.codex/rules/p.rules"
stage sbx-approve < <(doc "$protected | $trusted")
is "an error in a file is an error" "$status $(field .error.exit) $(field .approval)" "3 3 null"
like "... with file and line" "$err" 'p.rules:1: '
rm -r "$ws/.codex"
printf 'prefix_rule(pattern=["make"])' >"$scratch/given.rules"
stage sbx-approve --rules "$scratch/given.rules" < <(doc "$untrusted")
is "--rules FILE" "$status $(decision)" "0 approved rule"
stage sbx-approve --rules "$scratch/absent" < <(doc "$untrusted")
is "--rules with a file that is not there" "$status" 3

# Learned from an answer, listed, revoked.
rule='prefix_rule(pattern=["make", "test"], decision="allow", expires="2999-01-01")'
jq -cn --arg rule "$rule" '{decision: "approved", rule: $rule}' >"$scratch/answer"
stage sbx-approve --approver "cat >/dev/null; cat $scratch/answer" < <(doc "$untrusted"; doc "$untrusted")
is "a rule in an answer is saved, and counts at once" "$status $(jq -r .approval.by <<<"$out" | xargs)" "0 approver rule"
is "as it was given" "$(cat "$CODEX_HOME/rules/learned.rules")" "$rule"
is "for nobody else to read" "$(stat -c %a "$CODEX_HOME/rules/learned.rules")" 600
run "$SBX/sbx-approve" --list-rules
is "listed" "$(jq -c '[.rule, .expired]' <<<"$out")" "$(jq -cn --arg r "$rule" '[$r, false]')"
run "$SBX/sbx-approve" --revoke-rule 'prefix_rule(pattern=["x"])'
is "revoking what is not there is an error" "$status" 3
run "$SBX/sbx-approve" --revoke-rule "$rule"
stage sbx-approve < <(doc "$untrusted")
is "revoked" "$status" 1
for bad in 'prefix_rule(pattern=["ls"])' 'prefix_rule(pattern=["make"], decision="prompt")' 'junk' \
	$'prefix_rule(pattern=["make"])\nprefix_rule(pattern=["rm"])' 'host_executable(name="a", paths=[])'; do
	jq -cn --arg rule "$bad" '{decision: "approved", rule: $rule}' >"$scratch/answer"
	stage sbx-approve --approver "cat >/dev/null; cat $scratch/answer" < <(doc "$untrusted")
	is "a rule that does not allow just the command is not saved: $bad" "$(cat "$CODEX_HOME/rules/learned.rules")" ""
done
finish
