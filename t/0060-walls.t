#!/bin/bash
# The walls of the house: includes point down or into the same program, and none
# goes round in a circle.
. "${0%/*}/lib/lib.sh"
check=$ROOT/share/build/check-layers
[ -x "$check" ] || skip_all "no sources in this copy; root checks the checkout"
need PROGRAM python3

run "$check" "$ROOT"
is "the walls stand" "$status $err" "0 "

tree=$scratch/tree
# planted FILE TEXT...: a tree that is whole, and one file more
planted() {
	rm -rf "$tree"
	mkdir -p "$tree"/lib/{base,fs} "$tree"/sbx-{one,two}/room
	echo '/* one */' >"$tree/lib/base/low.h"
	echo '#include "base/low.h"' >"$tree/lib/fs/high.h"
	echo '#include "fs/high.h"' >"$tree/sbx-one/room/own.h"
	echo '#include "room/own.h"' >"$tree/sbx-one/main.c"
	while [ $# != 0 ]; do
		mkdir -p "$tree/${1%/*}"
		printf '%s\n' "$2" >"$tree/$1"
		shift 2
	done
	run "$check" "$tree"
}

planted
is "control: a tree with whole walls passes" "$status $err" "0 "
planted lib/base/up.c '#include "fs/high.h"'
is "an include that points upward is refused" "$status $err" \
	"1 lib/base/up.c:1: fs/high.h is above: base knows nothing of fs"
planted sbx-two/main.c '#include "../sbx-one/room/own.h"'
is "... and one of another program" "$status $err" \
	"1 sbx-two/main.c:1: ../sbx-one/room/own.h is of another program, sbx-one"
planted lib/base/a.h '#include "base/b.h"' lib/base/b.c '#include "base/a.h"' lib/base/b.h ''
is "... and a circle, by way of a file and its header" "$status $err" \
	"1 in a circle: lib/base/a -> lib/base/b -> lib/base/a"
for file in lib/odd.h lib/attic/odd.h lib/fs/odd/odd.h; do
	planted "$file" ''
	like "... and a file in no room: $file" "$status $err" "^1 $file: lib/ has no such room: base typed fs "
done
planted sbx-one/gone.c '#include "room/gone.h"'
is "... and what is not there" "$status $err" \
	"1 sbx-one/gone.c:1: room/gone.h: there is no such file"
finish
