#!/bin/bash
# The table and the picture of benchmarks: figures with and without a number beside
# them, also in the same unit.
. "${0%/*}/lib/lib.sh"
printf 'network\tconnect plain\t1\t10\tµs\nnetwork\tconnect plain\t50\t20.5\tµs\nnetwork\titself\t-\t19\tµs\nnetwork\treceive\t1\t98\tMB/s\n' >"$scratch/rows"
run bash "$TESTS/perf/plot" "$scratch/rows" "$scratch/table" "$scratch/picture" "A caption"
is "they are drawn" "$status $err" "0 "
is "each is in the table" "$(awk 'NF > 1' "$scratch/table" | tr -s ' ')" " connect plain 1 10 µs
 connect plain 50 20.5 µs
 itself 19 µs
 receive 1 98 MB/s"
is "lines where there is a number, and a bar where there is none" "$(grep -c '<polyline' "$scratch/picture") $(grep -c '<rect x' "$scratch/picture") $(grep -c 'network \[' "$scratch/picture")" "2 1 3"
: >"$scratch/rows"
run bash "$TESTS/perf/plot" "$scratch/rows" "$scratch/table" "$scratch/picture"
is "control: none are an error" "$status $err" "1 no figures"
finish
