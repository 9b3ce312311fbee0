#!/bin/bash
# The signs are true: a folder's README names each of its files once and none that
# is not there, every header begins with its question, and the pages in share/doc
# name tests that exist.
. "${0%/*}/lib.sh"
need PROGRAM python3
[ -e "$ROOT/lib/base/error.h" ] || skip_all "no sources in this copy; root checks the checkout"
questions=$SHARE/build/questions

run "$questions" --check
is "every folder agrees with its README" "$status $err" "0 "
run env -C "$ROOT" "$questions"
is "the questions of all files can be printed" "$status" 0
like "room by room" "$out" "^sbx-run/report/$"
like "a line for each file" "$out" "^    limits +Is this more than .*[?]$"

# The control: a copy in which one thing is wrong at a time.
wrong() { # what, message, command...
	local what=$1 message=$2
	rm -rf "$scratch/copy"
	cp -a "$ROOT/sbx-wrap" "$scratch/copy"
	shift 2
	(cd "$scratch/copy" && "$@")
	run "$questions" --check "$scratch/copy"
	like "$what" "$status $err" "^1 .*$message"
}
plant() { printf '/*\n * Why?\n */\n' >"$1"; }
in_room() { mkdir room && plant room/limits.c; }
wrong "a file that the README does not name is noticed" "planted: named 0 times" plant planted.c
wrong "in a room as well" "room/limits: named 0 times" in_room
wrong "a name that is not there any more is noticed" "limits: there is no such file" rm limits.c limits.h
wrong "so is a name that stands there twice" "limits: named 2 times" sed -i 's/^    wrap /    wrap, limits /' README
wrong "and a header without its question" "limits.h: does not begin" sed -i 1,/\\*\\//d limits.h
wrong "and a README that is missing" "README: there is none" rm README
cp -a "$ROOT/sbx-wrap" "$scratch/as-it-is"
run "$questions" --check "$scratch/as-it-is"
is "a copy in which nothing is wrong passes" "$status $err" "0 "

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
finish
