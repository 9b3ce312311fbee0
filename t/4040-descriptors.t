#!/bin/bash
# The command has 0, 1 and 2 open, and what --keep-fd names.
. "${0%/*}/lib/lib.sh"

echo content >"$outside/file"
for mode in danger-full-access workspace-write; do
	sbx=("$SBX/sbx-run" -s "$mode" -a never -C "$ws")
	(
		ulimit -n 2000
		exec 5<"$outside/file" 57<"$outside/file" 1500<"$outside/file"
		ulimit -S -n 64 # the numbers above stay open
		ls /proc/self/fd >"$scratch/control"
		"${sbx[@]}" -- ls /proc/self/fd >"$scratch/fds" 2>&1
		"${sbx[@]}" --keep-fd 57 --keep-fd 5 -- bash -c \
			'ls /proc/self/fd; cat <&57' >"$scratch/kept" 2>&1
		"${sbx[@]}" --keep-fd 58 -- true 2>"$scratch/err"
		echo "$?" >"$scratch/code"
	)
	like "$mode: control: the caller has 1500 open" "$(cat "$scratch/control")" '^1500$'
	is "$mode: nothing but the standard ones" "$(tr '\n' ' ' <"$scratch/fds")" "0 1 2 3 "
	is "$mode: kept ones are there and usable" "$(tr '\n' ' ' <"$scratch/kept")" \
		"0 1 2 3 5 57 content "
	is "$mode: one that is not open is refused" "$(cat "$scratch/code")" 125
	like "$mode: and named" "$(cat "$scratch/err")" 'keep-fd: 58: not an open fd'
	for bad in 2 -1 x 3x '' 99999999999999999999; do
		run "${sbx[@]}" --keep-fd "$bad" -- true
		is "$mode: --keep-fd '$bad' is refused" "$status" 125
	done
done

# The stages are not the command's business either.
printf '#!/bin/sh\nls /proc/self/fd >&2; exec %s "$@"\n' "$SBX/sbx-select" >"$scratch/select"
chmod 755 "$scratch/select"
exec 57<"$outside/file"
run_sbx -s danger-full-access -a never --stage "select=$scratch/select" -- true
exec 57<&-
is "a stage has the standard ones" "$status $(tr '\n' ' ' <<<"$err")" "0 0 1 2 3 "
finish
