#!/bin/bash
# Random calls on files, made without a sandbox and in one: what works only
# without is reported, and nothing else.
. "${0%/*}/lib/lib.sh"
slow
need OBSERVER

run "$TESTS/property/bare" "$SBX/sbx-run" "$scratch" 1 "$(long 60 300)"
is "the same calls every time" "$status" 0
like "some were denied" "$out" 'calls: [1-9][0-9]* denied and reported, 0 reported wrongly, 0 missed$'
note "$out"
seed=$RANDOM
run "$TESTS/property/bare" "$SBX/sbx-run" "$scratch" "$seed" "$(long 30 150)"
is "others (seed $seed)" "$status" 0
note "$out"

# liar FILTER: an sbx-run whose report is not true
liar() {
	printf '#!/bin/sh\n%q "$@" | jq -c %q\n' "$SBX/sbx-run" "$1" >"$scratch/liar"
	chmod +x "$scratch/liar"
	run "$TESTS/property/bare" "$scratch/liar" "$scratch" 1 30
}
liar 'del(.result.denials[0])'
like "control: one that is left out is noticed" "$status $out" '^1 missed:'
liar '.result.denials += [.result.denials[0] | .path |= sub("/outside/[0-9]+"; "/ws/0")]'
like "control: one too many is noticed" "$status $out" '^1 false:'
finish
