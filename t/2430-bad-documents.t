#!/bin/bash
# What is not a document is refused by every stage: one clear line, exit 3, and
# an error document in its place.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
anyone

good=$(doc "$selected")

# bad DESCRIPTION PATTERN <bytes
bad() {
	cat >"$scratch/bytes"
	local name
	for name in sbx-approve sbx-select sbx-wrap; do
		stage "$name" <"$scratch/bytes"
		is "$name: $1" "$status $(field '"\(.error.stage) \(.error.exit) \(.exec)"' | tail -n 1)" \
			"3 $name 3 null"
		like "... in a clear line" "$err" "^$name: $2"
		is "... and only one" "$(error_lines)" 1
		unlike "... without bytes that a terminal obeys" "$(LC_ALL=C tr -d '\n' <"$scratch/.err")" \
			$'[\x01-\x1f\x7f]'
	done
}

bad "no JSON" 'document: ' <<<'hello'
bad "cut short" 'document: ' <<<"${good:0:40}"
bad "a list" 'document: ' <<<'[1]'
bad "a number" 'document: ' <<<'1'
bad "an empty object" 'document: expected an object with "sbx":1' <<<'{}'
bad "another version" 'document: expected an object with "sbx":1' <<<"${good/\"sbx\":1/\"sbx\":2}"
bad "a version that is a string" 'document: ' <<<"${good/\"sbx\":1/\"sbx\":\"1\"}"
bad "a version that is a fraction" 'document: ' <<<"${good/\"sbx\":1/\"sbx\":1.0}"
bad "a key given twice" 'document: ' <<<"${good/\"sbx\":1/\"sbx\":1,\"sbx\":1}"
bad "a key given twice, deeper" 'document: ' <<<"${good/\"cwd\":/\"cwd\":\"/\",\"cwd\":}"
bad "a comment" 'document: ' <<<"${good/\"sbx\"/\/* *\/\"sbx\"}"
bad "a trailing comma" 'document: ' <<<"${good%\}},}"
bad "invalid UTF-8" 'document: ' <<<"${good/make/$'\xff'}"
bad "a lone surrogate" 'document: ' <<<"${good/make/\\ud800}"
bad "a control byte in a string" 'document: ' <<<"${good/make/$'\x1b'[31m}"
bad "a NUL in a string" 'document: a string contains a NUL' <<<"${good/make/a\\u0000b}"
bad "a NUL in a key" 'document: ' <<<"${good/\"argv\"/\"a\\u0000b\"}"
printf '%s\0' "$good" >"$scratch/nul"
bad "a NUL between documents" 'document: ' < <(printf '\0'; cat "$scratch/nul")
bad "nesting without end" 'document: ' < <(printf '%s' "${good%\}},\"x\":"; printf '[%.0s' $(seq 100000))
bad "nesting that ends" 'document: ' < <(
	printf '%s' "${good%\}},\"x\":"
	printf '[%.0s' $(seq 100000)
	printf ']%.0s' $(seq 100000)
	echo '}'
)
bad "a number that is too large" 'document: ' <<<"${good/\"sbx\":1/\"x\":1e999,\"sbx\":1}"
bad "an integer that is too large" 'document: ' <<<"${good/\"sbx\":1/\"x\":99999999999999999999,\"sbx\":1}"

argv() { jq -c ".command.argv = [$1]" <<<"$good"; }
bad "base64 that is not canonical" 'command.argv\[0\]: not valid base64' < <(argv '{base64: "QR=="}')
bad "base64 without its padding" 'command.argv\[0\]: not valid base64' < <(argv '{base64: "QQ"}')
bad "base64 with a line end" 'command.argv\[0\]: not valid base64' < <(argv '{base64: "QUJD\n"}')
bad "base64 in the other alphabet" 'command.argv\[0\]: not valid base64' < <(argv '{base64: "_-8="}')
bad "base64 padded in the middle" 'command.argv\[0\]: not valid base64' < <(argv '{base64: "QQ==QUJD"}')
bad "base64 of a NUL" 'command.argv\[0\]: contains a NUL' < <(argv '{base64: "YQBi"}')
bad "base64 and more" 'command.argv\[0\]: expected a string' < <(argv '{base64: "QQ==", x: 1}')
bad "a number for a word" 'command.argv\[1\]: expected a string' < <(argv '"a", 1')
bad "null for a word" 'command.argv\[1\]: expected a string' < <(argv '"a", null')
bad "no words" 'command.argv: ' < <(argv '')
bad "an empty command" 'command.argv: ' < <(argv '""')
bad "a line end in a path" 'command.cwd: "a\\x0ab"' < <(jq -c '.command.cwd = "a\nb"' <<<"$good")
bad "an environment that is a list" 'command.env: ' < <(jq -c '.command.env = ["A=1"]' <<<"$good")
bad "a variable without a name" 'command.env' < <(jq -c '.command.env = {"": "1"}' <<<"$good")
bad "a variable whose name has a =" 'command.env' < <(jq -c '.command.env = {"A=B": "1"}' <<<"$good")
bad "a time that is negative" 'command.timeout_ms' < <(jq -c '.command.timeout_ms = -1' <<<"$good")

# What comes after it cannot be told apart any more, what came before is done.
stage sbx-wrap < <(echo "$good"; echo nonsense; echo "$good")
is "a stream ends at the first thing that is no document" \
	"$status $(field 'if .error then "error" else "done" end' | tr '\n' ' ')" "3 done error "

stage sbx-wrap < <(printf ' \n\t\r\n')
is "nothing but space is no document and no error" "$status$out$err" 0
ok "control: the document that was spoilt is good" "$SBX/sbx-wrap" < <(echo "$good")

finish
