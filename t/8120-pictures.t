#!/bin/bash
# The pictures of README: each that a page refers to is there, and "make plots" draws
# them from what was measured, puts them into README, and says what is missing.
. "${0%/*}/lib/lib.sh"
need PROGRAM python3

# pictures FILE...: what they refer to, from the top of the tree
pictures() { sed -nE 's/^.*!\[[^]]*\]\(([^)]*)\).*$/\1/p' "$@"; }
absent_pictures() {
	local root=$1 picture
	shift
	while read -r picture; do [ -s "$root/$picture" ] || echo "$picture"; done < <(pictures "$@")
}
is "every picture that a page refers to is there" "$(absent_pictures "$ROOT" "$ROOT/README" "$ROOT"/share/doc/[a-z-]*[a-z])" ""
echo 'see ![a plot](share/doc/none.svg)' >"$scratch/page"
is "control: one that is not is found" "$(absent_pictures "$ROOT" "$scratch/page")" share/doc/none.svg
is "README says once where they go" "$(grep -cx '<!-- make plots -->' "$ROOT/README")" 1

tree=$scratch/tree results=$scratch/results
mkdir -p "$tree/share/doc" "$results"
grep -v '^!\[' "$ROOT/README" >"$tree/README"
cp "$tree/README" "$scratch/before"
run "$TESTS/perf/keep-pictures" "$results" "$tree"
is "nothing measured: it fails" "$status" 1
like "... and names what measures each" "$(tr '\n' ' ' <<<"$err")" 'launch.tsv.*make bench.*first-try.tsv.*make test-compat'
ok "... README is as before" cmp -s "$scratch/before" "$tree/README"

{
	printf 'start of true\tsbx-run\t-\t9.5\tms\n'
	printf 'start of "true" in turns\t%s\t-\t%s\ttimes as long\n' sbx-run 1 "sbx-run, limits" 1.1 'bubblewrap <the same> & mounts' 0.75 slow 26
} >"$scratch/rows"
run "$TESTS/perf/for-readme" "$scratch/rows" "$results" "; peer 1.2"
is "of what was measured, the starts in turns are for README, one of each program" \
	"$status $(cut -f 2,4 "$results/launch.tsv" | tr '\t\n' '  ')" "0 sbx-run 1 bubblewrap <the same> & mounts 0.75 slow 26 "
run "$TESTS/perf/keep-pictures" "$results" "$tree"
is "one of them measured: it is kept, and the other is named" "$status $(cd "$tree/share/doc" && echo *) $(grep -c 'first-try.tsv is not there yet' <<<"$err")" "0 launch.svg 1"
is "... and README refers to what is there" "$(pictures "$tree/README" | xargs)" share/doc/launch.svg
{
	printf '40 programs\tuser: at first try\t-\t38\tprograms\n'
	printf '40 programs\tuser: with the suggestion\t-\t2\tprograms\n'
	printf '40 programs\tuser: not\t-\t0\tprograms\n'
} >"$results/first-try.tsv"
run "$TESTS/perf/keep-pictures" "$results" "$tree"
is "measured: both are kept" "$status $(cd "$tree/share/doc" && echo *)" "0 first-try.svg launch.svg"
is "README refers to them" "$(pictures "$tree/README" | xargs)" "share/doc/launch.svg share/doc/first-try.svg"
is "... and they are there" "$(absent_pictures "$tree" "$tree/README")" ""
is "... with words for who sees none" "$(grep -c '^!\[how ' "$tree/README")" 2
is "nothing else of README changed" "$(diff "$scratch/before" "$tree/README" | grep -c '^[<>]')" 2
cp "$tree/README" "$scratch/once"
run "$TESTS/perf/keep-pictures" "$results" "$tree"
ok "a second time changes nothing" cmp -s "$scratch/once" "$tree/README"

# shown PICTURE: its words, and the widths of its bars
shown() {
	python3 - "$1" <<'END'
import sys, xml.etree.ElementTree as tree
top = tree.parse(sys.argv[1]).getroot()
name = lambda e: e.tag.rsplit("}", 1)[1]
print(" ".join(e.text for e in top if name(e) == "text"))
print(" ".join(e.get("width") for e in top if name(e) == "rect" and e.get("width") != "100%"))
END
}
launch=$(shown "$tree/share/doc/launch.svg")
like "the launch: a figure for each, with its unit" "$launch" 'start of "true" in turns \[times as long\] sbx-run 1 bubblewrap <the same> & mounts 0.75 slow 26 »'
is "... as long as it is, and cut where it would dwarf the others" "$(sed -n 2p <<<"$launch")" "38.0 28.5 190.0"
like "... what was measured, beside what, of which programs" "$launch" 'medians of .* load [0-9.]+; peer 1.2 '
like "... and on which machine it was" "$launch" "$(uname -s) .* processors"
like "first try: how many of how many" "$(shown "$tree/share/doc/first-try.svg")" '40 programs .*at first try 38 .*with the suggestion 2 .*not 0'
finish
