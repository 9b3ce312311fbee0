#!/bin/bash
# Documents travel: each stage adds its own member and leaves every other as it
# was, one compact line per document, in a stream as well as alone.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"

through() { "$SBX/sbx-approve" | "$SBX/sbx-select" | "$SBX/sbx-wrap"; }

# Members nobody knows, in every place, byte for byte.
extra='"unknown":{"z":[1,-2,3.5,true,null,{}],"a":"é \" \\ \n","é":[[]],"big":9007199254740993}'
before=$(doc '.command.more = ["x"] | .policy.own = {b: 1, a: 2}')
before="{$extra,${before#\{}"
printf '%s\n' "$before" >"$scratch/before"
through <"$scratch/before" >"$scratch/after" 2>"$scratch/.err"
is "three stages keep what was there, byte for byte, at the front of the line" \
	"$(head -c "$(printf %s "${before%\}}" | wc -c)" "$scratch/after")" "${before%\}}"
is "and add their own, in order" "$(jq -r 'keys_unsorted | join(" ")' "$scratch/after")" \
	"unknown sbx command policy approval sandbox exec"
is "in one line" "$(wc -l <"$scratch/after")" 1

# The same document in any spelling is the same document.
python3 -m json.tool --no-ensure-ascii <<<"$before" | through >"$scratch/pretty" 2>/dev/null
ok "spaces and line ends between the parts mean nothing" cmp "$scratch/after" "$scratch/pretty"

# Strings of the operating system.
strings='.command.argv = ["printf", {base64: "//4A/w=="}, "é", "", "-x", "\u001b[31m"]'
doc "$strings | .command.argv[1] = {base64: \"//7/\"}" | through >"$scratch/strings" 2>/dev/null
is "bytes, empty words and control bytes stay as they are" \
	"$(jq -c '[.exec.argv[-5:], .command.argv[1:]] | unique | length' "$scratch/strings")" 1

# A stream.
doc >"$scratch/one"
for _ in $(seq 1000); do cat "$scratch/one"; done | jq -c '.n = input_line_number' >"$scratch/many"
through <"$scratch/many" >"$scratch/out" 2>"$scratch/.err"
is "1000 documents: 1000 lines" "$? $(wc -l <"$scratch/out")" "0 1000"
is "... each complete, in order" "$(jq -r 'select(.exec.argv and (.error | not)) | .n' "$scratch/out" | tr -d '\n')" \
	"$(jq -r .n "$scratch/many" | tr -d '\n')"
is "... and silent" "$(cat "$scratch/.err")" ""
tr -d '\n' <"$scratch/many" | through | wc -l >"$scratch/lines"
is "no line end between them is needed" "$(cat "$scratch/lines")" 1000

# One document after the other: each answer comes before the next question.
coproc STAGES { "$SBX/sbx-approve" | "$SBX/sbx-select" | "$SBX/sbx-wrap"; }
stages=$STAGES_PID
answers=0
for _ in 1 2 3; do
	cat "$scratch/one" >&"${STAGES[1]}"
	if read -r -t 10 line <&"${STAGES[0]}" && jq -e .exec.argv <<<"$line" >/dev/null; then
		answers=$((answers + 1))
	fi
done
eval "exec ${STAGES[1]}>&-"
wait "$stages"
is "every answer is flushed at once" "$answers" 3

# One bad command in the middle of a stream spoils only itself.
{
	doc
	doc '.command.cwd = "/no/such/directory"'
	doc '.policy.approval_policy = "untrusted"'
	doc
} | through 2>/dev/null | jq -r '.error.exit // (.exec.argv | length > 0)' >"$scratch/mixed"
is "a failed document leaves the others alone" "$(tr '\n' ' ' <"$scratch/mixed")" "true 3 1 true "

# A reader that went away is an error, not a silent death.
(
	"$SBX/sbx-approve" <"$scratch/many" 2>"$scratch/.err"
	echo $? >"$scratch/code"
) | head -n 1 >/dev/null
is "writing to nobody: exit 5" "$(cat "$scratch/code")" 5

finish
