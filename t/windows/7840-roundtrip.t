#!/bin/bash
# Random arguments, written into one line, are what a child reads from it:
# 10 000 processes, half of them beside the other half.
. "${0%/*}/../lib/lib.sh"
. "${0%/*}/wine.sh"
half=$((${ROUNDTRIPS:-10000} / 2))
echo_exe=$(drive "$BUILD/windows/t/echo.exe")
wine "$BUILD/windows/t/roundtrip.exe" 1 "$half" "$echo_exe" >"$scratch/first" 2>&1 &
run wine "$BUILD/windows/t/roundtrip.exe" 2 "$half" "$echo_exe"
is "one half" "$(tail -n 1 <<<"$out" | tr -d '\r')" "$half of $half"
wait
is "the other" "$(tail -n 1 "$scratch/first" | tr -d '\r')" "$half of $half"
run wine "$BUILD/windows/t/roundtrip.exe" 3 100 "$echo_exe" "$(drive "$bin")" --unenforced \
	--plan-file "$(drive "$scratch/plan")" --
is "a hundred more through the launcher" "$(tail -n 1 <<<"$out" | tr -d '\r')" "100 of 100"
finish
