#!/bin/bash
# stdin, stdout and stderr belong to the command, byte by byte.
. "${0%/*}/lib/lib.sh"

head -c 1000000 /dev/urandom >"$scratch/in"
for mode in danger-full-access workspace-write; do
	sbx=("$SBX/sbx-run" -s "$mode" -a never -C "$ws")
	"${sbx[@]}" -- cat <"$scratch/in" >"$scratch/copy"
	is "$mode: cat succeeds" "$?" 0
	ok "$mode: a file through cat is the same file" cmp "$scratch/in" "$scratch/copy"
	# shellcheck disable=SC2002
	cat "$scratch/in" | "${sbx[@]}" -- cat | cat >"$scratch/copy"
	ok "$mode: through pipes as well" cmp "$scratch/in" "$scratch/copy"
	"${sbx[@]}" -- sh -c 'cat >&2' <"$scratch/in" 2>"$scratch/copy" >"$scratch/empty"
	ok "$mode: stderr too" cmp "$scratch/in" "$scratch/copy"
	is "$mode: and nothing on stdout" "$(wc -c <"$scratch/empty")" 0

	# The command reads what it wants and leaves the rest to the next one.
	printf 'one\ntwo\n' >"$scratch/lines"
	is "$mode: what the command does not read stays" \
		"$({ "${sbx[@]}" -- sh -c 'read x; echo "got $x"'; cat; } <"$scratch/lines")" \
		"$(printf 'got one\ntwo')"
	echo start >"$scratch/append"
	"${sbx[@]}" -- echo more >>"$scratch/append"
	is "$mode: append mode is kept" "$(cat "$scratch/append")" "$(printf 'start\nmore')"

	"${sbx[@]}" -- yes 2>"$scratch/err" | head -n 1 >"$scratch/out"
	is "$mode: SIGPIPE ends the command when the reader goes" \
		"${PIPESTATUS[0]} $(cat "$scratch/out")" "141 y"
	is "$mode: without a word" "$(cat "$scratch/err")" ""
	(
		trap '' PIPE
		"${sbx[@]}" -- yes 2>"$scratch/err"
		echo "$?" >"$scratch/code"
	) | head -n 1 >/dev/null
	is "$mode: SIGPIPE stays ignored when the caller ignored it" "$(cat "$scratch/code")" 1

	"${sbx[@]}" -- sh -c 'echo x; echo "code $?" >&2' >&- 2>"$scratch/err"
	like "$mode: a closed stdout is an error for the command" "$(cat "$scratch/err")" 'code [12]'
	is "$mode: a closed stdin too" \
		"$("${sbx[@]}" -- sh -c 'cat 2>/dev/null; echo "code $?"' <&-)" "code 1"
done
finish
