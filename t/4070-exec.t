#!/bin/bash
# --exec runs wrapped documents from stdin, and nothing that is not one.
. "${0%/*}/lib/lib.sh"

shopt -s lastpipe # what is fed through a pipe is looked at here
sbx=("$SBX/sbx-run" --exec)
# wrapped SCRIPT [FILTER]: a document, changed by the filter
wrapped() {
	jq -cn --arg script "$1" --arg ws "$ws" '
		{sbx: 1, command: {argv: ["sh", "-c", $script], cwd: $ws, timeout_ms: 0},
		 approval: {decision: "skip"}, sandbox: {type: "none"},
		 exec: {argv: ["sh", "-c", $script], cwd: $ws, env: {PATH: "/usr/bin:/bin"},
			arg0: null, sandbox: "none"}} | '"${2:-.}"
}
feed() {
	cat >"$scratch/.in"
	run "${sbx[@]}" "$@" <"$scratch/.in"
}

wrapped 'pwd; env | grep -v ^PWD= | sort; exit 4' | feed
is "it runs, with that directory and environment only" "$status $(tr '\n' ' ' <<<"$out")" \
	"4 $ws PATH=/usr/bin:/bin "
wrapped 'echo $0' '.exec.arg0 = "other"' | feed
is "arg0 is argv[0], argv[0] is executed" "$out" other
{ wrapped 'echo one'; wrapped 'echo two; exit 5'; wrapped 'echo three; exit 6'; } | feed
is "one after another, the first failure counts" "$status $(tr '\n' ' ' <<<"$out")" \
	"5 one two three "
{ wrapped 'cat; echo one'; wrapped 'echo two'; } | tr -d '\n' | feed
is "a command cannot read the next document" "$status $(tr '\n' ' ' <<<"$out")" "0 one two "
: | feed
is "no document is not success" "$status $err" "125 sbx-run: no document on stdin"
wrapped 'sleep 20' '.command.timeout_ms = 200' | feed
is "the document's timeout" "$status" 124
{ wrapped 'echo a'; wrapped 'echo b'; } | feed --json
is "--json: a line for each" "$(jq -r .result.stdout <<<"$out" | xargs)" "a b"
wrapped ':' '.exec.env.RAW = {base64: "/w=="} | .exec.argv[2] = "printf %s \"$RAW\" | od -An -tx1"' |
	feed
is "bytes that are not UTF-8" "$out" " ff"

# The pipeline of the design is what sbx-run does.
(cd "$ws" && "$SBX/sbx-policy" -s workspace-write -a never -- sh -c 'echo in; exit 8' |
	"$SBX/sbx-approve" | "$SBX/sbx-select" | "$SBX/sbx-wrap") | feed
is "the stages by hand" "$status $out" "8 in"
(cd "$ws" && "$SBX/sbx-policy" -s workspace-write -a untrusted -- touch made | "$SBX/sbx-approve" |
	"$SBX/sbx-select" | "$SBX/sbx-wrap") 2>/dev/null | feed
is "a denial, without pipefail" "$status" 126
ok "and nothing ran" absent "$ws/made"

# refused WHAT STATUS FILTER [PATTERN]
refused_document() {
	wrapped 'touch made' "$3" | feed
	is "$1: status" "$status" "$2"
	ok "$1: nothing ran" absent "$ws/made"
	if [ -n "${4-}" ]; then like "$1: said" "$err" "$4"; fi
	rm -f "$ws/made"
}
wrapped 'touch made' | feed
ok "control: the document runs as it is" exists "$ws/made"
rm -f "$ws/made"
refused_document "an error" 125 '.error = {stage:"sbx-wrap",code:"x",message:"why",exit:4}' 'sbx-wrap: why'
refused_document "an error that denies" 126 '.error = {stage:"sbx-approve",exit:1}'
refused_document "an error with exit 0" 125 '.error = {exit:0}'
refused_document "an error that is null" 125 '.error = null'
refused_document "no approval" 126 'del(.approval)' 'not approved'
for decision in denied abort '' APPROVED skip2; do
	refused_document "approval '$decision'" 126 ".approval.decision = \"$decision\""
done
refused_document "approval true" 126 '.approval.decision = true'
refused_document "no exec" 125 'del(.exec)' 'not wrapped'
refused_document "exec null" 125 '.exec = null'
refused_document "no argv" 125 'del(.exec.argv)'
refused_document "empty argv" 125 '.exec.argv = []'
refused_document "argv of numbers" 125 '.exec.argv[0] = 1'
refused_document "a NUL in argv" 125 '.exec.argv[1] = "a\u0000b"' 'NUL'
refused_document "no cwd" 125 'del(.exec.cwd)'
refused_document "relative cwd" 125 '.exec.cwd = "."' 'absolute'
refused_document "missing cwd" 125 '.exec.cwd = "/no/such/dir"'
refused_document "no env" 125 'del(.exec.env)'
refused_document "a bad variable" 125 '.exec.env["A=B"] = "x"'
refused_document "no sandbox word" 125 'del(.exec.sandbox) | del(.sandbox)'
refused_document "a sandbox of another system" 125 \
	'.exec.sandbox = "macos-seatbelt" | .sandbox.type = "macos-seatbelt"'
refused_document "none where one was selected" 125 '.sandbox.type = "linux-seccomp"' 'sandbox.type'
refused_document "a helper from the working directory" 125 \
	'.exec.sandbox = "linux-seccomp" | .sandbox.type = "linux-seccomp"' 'absolute'
refused_document "a negative timeout" 125 '.command.timeout_ms = -1'
refused_document "a word as timeout" 125 '.command.timeout_ms = "1"'
refused_document "another version" 125 '.sbx = 2'
for junk in '{' '[]' '1' 'x' '{"sbx":1' '{"sbx":1}'; do
	printf '%s' "$junk" | feed
	like "junk '$junk'" "$status" '^12[56]$'
	ok "one line says why" test "$(wc -l <"$scratch/.err")" = 1
done
{ wrapped 'echo first'; echo '}'; wrapped 'touch made'; } | feed
is "what follows junk is not run" "$status $out" "125 first"
ok "it really is not" absent "$ws/made"

run "${sbx[@]}" -- true
is "--exec with a command" "$status" 125
run "${sbx[@]}" -s read-only
is "--exec with a policy" "$status" 125
finish
