#!/bin/bash
# A profile decides every operation on every path as the policy does, however
# profiles are read: thousands of random pairs.
. "${0%/*}/lib/lib.sh"
slow
. "$TESTS/lib/seatbelt.sh"
anyone
export SBPL_CACHE=$scratch/cache

property() { run "$TESTS/property/sbpl/property" "$@"; }
last() { tail -n 1 "$scratch/.out"; }

policies=$(long 50 400)
property random --policies "$policies" --questions 60 --seed 1
is "random permissions, against libsbx" "$status $(last)" "0 policies $policies pairs $((policies * 60)) differences 0"
note "$(grep '^#' "$scratch/.out")"
is "... with both answers for every operation" "$(grep '^#' "$scratch/.out" | grep -cE 'allowed [1-9][0-9]{2,} denied [1-9][0-9]{2,}')" 5

questions=$(long 250 2000)
property flags --tree "$scratch/tree" --policies 11 --questions "$questions" --seed 2
is "policies from flags, against sbx-policy --check-path" "$status $(last)" \
	"0 policies 11 pairs $((questions * 11)) differences 0"
note "$(grep '^#' "$scratch/.out")"

# The controls: a damaged profile is noticed.
for damage in pins holes literals hidden; do
	property random --policies 40 --break "$damage"
	like "control: $damage damaged" "$status $(last)" '^1 .* differences [1-9]'
done
finish
