#!/bin/bash
# Two hundred starts at once all succeed, in one workspace.
. "${0%/*}/lib/lib.sh"
slow

mkdir "$ws/out"
start=$(date +%s)
for round in 50 200; do
	pids=()
	rm -f "$ws"/out/*
	for i in $(seq "$round"); do
		"${box[@]}" sh -c 'echo "$1" >"out/$1"; echo x >.git; test ! -e .git/x' - "$i" \
			>/dev/null 2>>"$scratch/errors" &
		pids+=($!)
	done
	failures=0
	for pid in "${pids[@]}"; do wait "$pid" || failures=$((failures + 1)); done
	is "$round at once: none fails" "$failures" 0
	is "$round at once: each wrote its file" "$(find "$ws/out" -type f | wc -l)" "$round"
	is "$round at once: nothing else is left" "$(find "$ws" -mindepth 1 -maxdepth 1 | tr '\n' ' ')" "$ws/out "
done
[ "$failures" = 0 ] || note "$(sort "$scratch/errors" | uniq -c | sort -rn | head -n 5)"
note "took $(($(date +%s) - start)) s"
finish
