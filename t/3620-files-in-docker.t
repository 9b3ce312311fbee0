#!/bin/bash
# The claims about files that other sandboxes are tested by hold in a container
# of Docker's kind as well.
. "${0%/*}/lib/lib.sh"
slow
need LANDLOCK 3
need NOTIFY

tests=(3042-git-pointer 3050-symlinks 3055-hard-links 3060-ancestors 3250-bytes 3510-session-peer 5440-reported-exactly
	3240-concurrency)
[ -z "${LONG-}" ] || tests+=(3075-reopened-files 3220-read-denied 3480-hidden-outlast 3485-patch 5400-denied-things)
for test in "${tests[@]}"; do
	SBX_BUILD=$BUILD T_DOCKER=1 "$TESTS/$test.t" >"$scratch/out" 2>"$scratch/err"
	is "$test" "$? $(grep '^not ok' "$scratch/out")" "0 "
done
finish
