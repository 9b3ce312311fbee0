#!/bin/bash
# For random policies and paths, --check-path, the derived writable roots and
# what a sandboxed program can do on disk agree.
. "${0%/*}/lib/lib.sh"
need USERNS
need PROGRAM python3

run "$TESTS/property/agree" "$SBX" "$HELPER/probe" "$scratch" 1 "$(long 20 60)"
is "the same answers, for the same policies each time" "$status" 0
note "$out"
seed=$((RANDOM * 32768 + RANDOM + 100000))
run "$TESTS/property/agree" "$SBX" "$HELPER/probe" "$scratch" "$seed" "$(long 8 20)"
is "and for others, from seed $seed" "$status" 0
note "$out"

# A program of whose answers one is wrong would be noticed.
printf '#!/bin/sh\nwhile read -r line; do echo rw; done\n' >"$scratch/liar"
chmod +x "$scratch/liar"
run "$TESTS/property/agree" "$SBX" "$scratch/liar" "$scratch" 1 3
is "control: a disagreement is found" "$status" 1
finish
