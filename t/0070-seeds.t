#!/bin/bash
# Every statement of the seeds works or differs for a reason, and has a test.
. "${0%/*}/lib/lib.sh"
table=$TESTS/SEEDS
rows=$(grep -vc '^#' "$table")
is "five columns in every row" "$(grep -v '^#' "$table" | awk -F'|' 'NF != 5' )" ""
is "works, differs or open" "$(grep -v '^#' "$table" | awk -F' *[|] *' '$3 !~ /^(works|differs|open)$/')" ""
is "what differs has a reason" "$(grep -v '^#' "$table" | awk -F' *[|] *' '$3 != "works" && $5 == ""')" ""
is "every row names a test" "$(grep -v '^#' "$table" | awk -F' *[|] *' '$4 == ""')" ""
missing=
for number in $(grep -v '^#' "$table" | cut -d'|' -f4 | xargs -n1 | sort -u); do
	[ -r "$TESTS/$number.c" ] || compgen -G "$TESTS/$number-*.t" >/dev/null || missing+=" $number"
done
is "every test that is named is there" "$missing" ""
is "no statement twice" "$(grep -v '^#' "$table" | cut -d'|' -f1,2 | sort | uniq -d)" ""
note "$(for state in works differs open; do echo "$state: $(grep -v '^#' "$table" | awk -F' *[|] *' -v s=$state '$3 == s' | wc -l)"; done | xargs)"
ok "$rows statements" [ "$rows" -gt 150 ]
finish
