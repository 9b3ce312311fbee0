#!/bin/bash
# Random work on files, in a preview that is applied and without one: the same result.
. "${0%/*}/lib/lib.sh"
need USERNS
need OVERLAY
need PROGRAM python3
export HOME=$scratch/home
mkdir "$HOME" "$scratch/work"
sequences=$(long 25 2000)
run python3 "$TESTS/property/preview" "$SBX/sbx-run" "$scratch/work" "$sequences"
note "$out"
is "$sequences sequences" "$status$err" 0
like "control: they change something" "$out" ' [1-9][0-9]* changes, 0 batches differ'
# This one once came out otherwise: an attribute of a file that its owner closed to himself.
run python3 "$TESTS/property/preview" "$SBX/sbx-run" "$scratch/work" 1 323666883
is "a seed that is known" "$status$err" 0
finish
