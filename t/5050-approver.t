#!/bin/bash
# An approver is any program; whatever it does that is not an approval is none.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
export HOME=$scratch/home
mkdir "$HOME"
untrusted='.policy.approval_policy = "untrusted"'
script() {
	printf '#!/bin/sh\n%s\n' "$1" >"$scratch/approver"
	chmod 755 "$scratch/approver"
}
decision() { field '"\(.approval.decision) \(.approval.by) \(.approval.required)"'; }

script "cat >$scratch/request; echo '{\"decision\":\"approved\"}'"
stage sbx-approve --approver "$scratch/approver" --source subagent:review < <(doc "$untrusted | .command.justification = \"why\"")
is "approved" "$status $(decision)" "0 approved approver true"
is "the request" "$(jq -c '[.type, .command, .cwd, .justification, .source, .denials, (.id | length > 0), (.reason | length > 0)]' "$scratch/request")" \
	"[\"exec_approval_request\",[\"make\",\"test\"],\"$ws\",\"why\",\"subagent:review\",[],true,true]"
is "has a line end and nothing else" "$(wc -l <"$scratch/request")" 1
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	valid() { /usr/bin/python3 -c 'import json, jsonschema, sys
jsonschema.validate(json.load(sys.stdin), json.load(open(sys.argv[1])))' "$SHARE/schema/approval.json"; }
	ok "the request is what the schema says" valid <"$scratch/request"
	ok "and so is an answer" valid <<<'{"decision":"approved","grant":{"write":["/x"]}}'
	not_ok "control: something else is not" valid <<<'{"decision":"yes"}'
fi
stage sbx-approve --approver "cat >$scratch/request; echo '{\"decision\":\"approved\"}'" < <(doc "$untrusted")
is "a command line works as well" "$status" 0
stage sbx-approve --approver "$scratch/approver" < <(doc ".command.tool = \"patch\" | .command.files = [\"/a\", \"/b\"]")
is "a patch" "$status $(jq -c '[.type, .files]' "$scratch/request")" '0 ["apply_patch_approval_request",["/a","/b"]]'
stage sbx-approve --approver "$scratch/approver" < <(doc .)
is "nobody is asked when nothing has to be" "$status $(decision)" "0 skip policy false"
stage sbx-approve --approver "$scratch/approver" < <(doc ".command.escalate = true")
is "escalation: approved is without the sandbox" "$status $(field ".approval.grant | tojson")" '0 {"sandbox":"none"}'
stage sbx-approve --approver "$scratch/approver" < <(doc ".command.escalate = true | .policy.approval_policy = \"never\"")
is "never asks nobody, approver or not" "$status $(decision)" "1 denied policy true"
script 'cat >/dev/null; echo "{\"decision\":\"approved\",\"grant\":{\"write\":[\"/var/cache/x\"],\"network\":\"on\"}}"'
stage sbx-approve --approver "$scratch/approver" < <(doc ".command.escalate = true")
is "a grant is what was given, and no more" "$status $(field ".approval.grant | tojson")" '0 {"write":["/var/cache/x"],"network":"on"}'

# denies DESCRIPTION SCRIPT [DECISION]
denies() {
	script "$2"
	stage sbx-approve --approver-timeout 2 --approver "$scratch/approver" < <(doc "$untrusted")
	is "$1" "$status $(decision) $(field '.approval | has("grant")')" "1 ${3:-denied} approver true false"
	is "... in one line" "$(error_lines)" 1
}
denies "denied" 'cat >/dev/null; echo "{\"decision\":\"denied\"}"'
denies "abort" 'cat >/dev/null; echo "{\"decision\":\"abort\"}"' abort
denies "no answer" 'cat >/dev/null'
denies "does not read" 'exit 0'
denies "junk" 'cat >/dev/null; echo junk'
denies "a word" 'cat >/dev/null; echo "\"approved\""'
denies "a list" 'cat >/dev/null; echo "[{\"decision\":\"approved\"}]"'
denies "another word" 'cat >/dev/null; echo "{\"decision\":\"yes\"}"'
denies "another case" 'cat >/dev/null; echo "{\"decision\":\"Approved\"}"'
denies "true" 'cat >/dev/null; echo "{\"decision\":true}"'
denies "twice" 'cat >/dev/null; echo "{\"decision\":\"denied\",\"decision\":\"approved\"}"'
denies "two answers" 'cat >/dev/null; echo "{\"decision\":\"approved\"}{\"decision\":\"approved\"}"'
denies "something behind it" 'cat >/dev/null; echo "{\"decision\":\"approved\"} x"'
denies "a failure" 'cat >/dev/null; echo "{\"decision\":\"approved\"}"; exit 1'
denies "a signal" 'cat >/dev/null; echo "{\"decision\":\"approved\"}"; kill -9 $$'
denies "a grant that is none" 'cat >/dev/null; echo "{\"decision\":\"approved\",\"grant\":{\"all\":true}}"'
denies "a grant of a relative path" 'cat >/dev/null; echo "{\"decision\":\"approved\",\"grant\":{\"write\":[\"x\"]}}"'
denies "a grant with dots" 'cat >/dev/null; echo "{\"decision\":\"approved\",\"grant\":{\"write\":[\"/x/../y\"]}}"'
denies "too much" 'cat >/dev/null; yes | head -c 3000000; echo "{\"decision\":\"approved\"}"'
denies "too late" 'cat >/dev/null; sleep 5; echo "{\"decision\":\"approved\"}"'
denies "answers and does not end" 'cat >/dev/null; echo "{\"decision\":\"approved\"}"; exec >&-; sleep 5'
stage sbx-approve --approver "$scratch/absent" < <(doc "$untrusted")
is "a program that is not there" "$status $(decision)" "1 denied approver true"
stage sbx-approve --approver "" < <(doc "$untrusted")
is "an empty one is wrong usage" "$status" 2

# The one of the user's configuration: sbx.approver.
mkdir "$HOME/.codex"
configured() {
	printf 'approval_policy = "untrusted"\n[sbx]\napprover = ["%s"]\n' "$1" >"$HOME/.codex/config.toml"
	rm -f "$scratch/request"
	run_sbx "${@:2}" -s workspace-write -C "$ws" -- sh -c 'touch made'
}
answered() { jq -r .command[0] "$scratch/request" 2>/dev/null; }
script "cat >$scratch/request; echo '{\"decision\":\"approved\"}'"
configured "$scratch/approver"
is "configured: is asked, and answers" "$status $(ls "$ws") $(answered)" "0 made sh"
rm -f "$ws/made"
configured "$scratch/approver" --approver false
is "configured: --approver comes first" "$status $(ls "$ws") $(answered)" "126  "
run "$SBX/sbx-approve" --serve --approver false -- "$SBX/sbx-run" -s workspace-write -C "$ws" -- sh -c 'touch made'
is "configured: and so does a session" "$status $(ls "$ws") $(answered)" "126  "
script 'exit 1'
configured "$scratch/approver"
is "configured: its failure is a no" "$status $(ls "$ws")" "126 "
script "cat >$scratch/request; echo '{\"decision\":\"approved\"}'"
(cd "$ws" && cp "$scratch/approver" ask)
ln -s "$scratch/approver" "$ws/link"
ln -s "$ws/ask" "$scratch/out"
for path in ask ./ask "$ws/ask" "$ws/link" "$scratch/out" "$scratch/absent" "$scratch/./approver"; do
	configured "$path"
	is "configured: not $path" "$status $(ls "$ws/made" 2>/dev/null) $(answered)" "126  "
done
configured "$scratch/approver"
is "control: the one outside is asked" "$status $(answered)" "0 sh"
rm -rf "$ws" && mkdir -p "$ws/.codex"
printf '[sbx]\napprover = ["%s"]\n' "$scratch/approver" >"$ws/.codex/config.toml"
printf 'approval_policy = "untrusted"\n[projects."%s"]\ntrust_level = "trusted"\n' "$ws" >"$HOME/.codex/config.toml"
rm -f "$scratch/request"
run_sbx -s workspace-write -C "$ws" -- sh -c 'touch made'
is "configured: a trusted project names nobody to ask" "$status $(ls "$ws") $(answered)" "126  "
rm -r "$HOME/.codex"

# A request of more than 1 MB.
script "wc -c >$scratch/size; echo '{\"decision\":\"approved\"}'"
doc "$untrusted" | jq -c --arg big "$(head -c 100000 /dev/zero | tr '\0' x)" '.command.argv += [range(12) | $big]' >"$scratch/big"
stage sbx-approve --approver "$scratch/approver" <"$scratch/big"
is "1.2 MB" "$status" 0
ok "arrived" [ "$(cat "$scratch/size")" -gt 1200000 ]
script "echo '{\"decision\":\"approved\"}'"
stage sbx-approve --approver "$scratch/approver" <"$scratch/big"
is "1.2 MB that is not read" "$status" 0
finish
