# shellcheck shell=bash disable=SC2154,SC2034
# What the tests of sbx-seatbelt share: documents, wraps, questions.
# shellcheck source=t/lib/documents.sh
. "$TESTS/lib/documents.sh"
# "doc ... | wrap" sets variables here.
shopt -s lastpipe
export SBX_BUILD=$BUILD PYTHONDONTWRITEBYTECODE=1
have PROGRAM guile || skip_all "guile is not installed"

# permissions JSON: a document with just these
permissions() { doc ".policy.sandbox_policy.type = \"read-only\" | .policy.permissions = $1"; }

# wrap <document: the answer in $out and in $scratch/wrapped
wrap() {
	stage sbx-seatbelt
	cp "$scratch/.out" "$scratch/wrapped"
}

# decide TITLE <"WANTED OPERATION KIND VALUE" lines: asks the profile of the
# last wrap about all of them at once
decide() {
	local wanted rest got title=$1
	grep -v '^$' >"$scratch/table"
	cut -d' ' -f2- "$scratch/table" | "$TESTS/property/sbpl/ask" "$scratch/wrapped" \
		>"$scratch/answers" 2>"$scratch/ask.err" || note "$(cat "$scratch/ask.err")"
	like "$title: the profile loads" "$(head -n 1 "$scratch/answers")" '^loaded [0-9]+ [0-9]+$'
	while IFS=' ' read -r got <&3 && read -r wanted rest; do
		is "$title: $wanted $rest" "$got" "$wanted"
	done <"$scratch/table" 3< <(tail -n +2 "$scratch/answers")
}

# refuses TITLE PATTERN <document: exit 3, one line, no plan
refuses() {
	wrap
	is "$1: exit 3" "$status $(field '"\(.error.exit) \(.exec)"')" "3 3 null"
	is "... one line" "$(error_lines)" 1
	like "... that says it" "$err" "^sbx-seatbelt: $2"
}
