#!/bin/bash
# The signs are true: a folder's README names each of its files once and none that
# is not there, every header begins with its question, and the pages in share/doc
# name tests that exist.
. "${0%/*}/lib/lib.sh"
need PROGRAM python3
[ -e "$ROOT/lib/base/error.h" ] || skip_all "no sources in this copy; root checks the checkout"
questions=$SHARE/build/questions

run "$questions" --check
is "every folder agrees with its README" "$status $err" "0 "
run env -C "$ROOT" "$questions"
is "the questions of all files can be printed" "$status" 0
like "room by room" "$out" "^sbx-run/report/$"
like "a line for each file" "$out" "^    limits +Is this more than .*[?]$"

# The control: copies of a folder, each with one thing wrong, in one go.
copy() { # name, command that spoils it...
	cp -a "$ROOT/sbx-wrap" "$scratch/$1"
	(cd "$scratch/$1" && "${@:2}")
}
plant() { printf '/*\n * Why?\n */\n' >"$1"; }
in_room() { mkdir room && plant room/limits.c; }
copy whole true
copy more plant planted.c
copy room in_room
copy less rm limits.c limits.h
copy twice sed -i 's/^    wrap /    wrap, limits /' README
copy silent sed -i 1,/\\*\\//d limits.h
copy none rm README
run env -C "$scratch" "$questions" --check whole more room less twice silent none
is "something is wrong" "$status" 1
like "a file that the README does not name is noticed" "$err" "^more/README: planted: named 0 times$"
like "in a room as well" "$err" "^room/README: room/limits: named 0 times$"
like "a name that is not there any more is noticed" "$err" "^less/README: limits: there is no such file$"
like "so is a name that stands there twice" "$err" "^twice/README: limits: named 2 times$"
like "and a header without its question" "$err" "^silent/limits.h: does not begin with its question$"
like "and a README that is missing" "$err" "^none/README: there is none$"
is "and nothing else" "$(wc -l <<<"$err")" 6

# share/: each thing is named by its README.
missing=
for entry in "$SHARE"/*; do
	entry=${entry##*/}
	[ "$entry" = README ] || grep -qE "^    $entry/? " "$SHARE/README" || missing+=" $entry"
done
is "share/README names what is in share" "$missing" ""

# The tests that the pages name, without those that are there.
unknown_tests() {
	local name
	grep -ohE 't/[0-9]{4}\b' "$@" | sort -u | while read -r name; do
		compgen -G "$ROOT/$name-*.t" >/dev/null || echo "$name"
	done
}
isnt "the pages name tests" "$(grep -ohE 't/[0-9]{4}\b' "$SHARE"/doc/*)" ""
is "every test that a page names exists" "$(unknown_tests "$SHARE"/doc/*)" ""
echo "shown by t/3040 and t/9999" >"$scratch/page"
is "a page that names another is noticed" "$(unknown_tests "$scratch/page")" "t/9999"

# The same of files and folders; a source file may be named without its ending.
unknown_files() {
	local name
	grep -ohE '\b(lib|share|sbx-[a-z-]+)/[a-zA-Z_/-]*[a-zA-Z_]' "$@" | sort -u | while read -r name; do
		[ -e "$ROOT/$name" ] || [ -e "$ROOT/$name.h" ] || echo "$name"
	done
}
is "every file that a page names exists" "$(unknown_files "$SHARE"/doc/*)" ""
echo "see lib/base/error, lib/base/errors and share/doc" >"$scratch/page"
is "a page that names another file is noticed" "$(unknown_files "$scratch/page")" "lib/base/errors"
finish
