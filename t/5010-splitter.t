#!/bin/bash
# Whatever we split a script into is what a shell executes, word for word; all
# that a shell would expand, redirect or read as grammar is opaque.
. "${0%/*}/lib/lib.sh"
anyone
python=/usr/bin/python3
split=$HELPER/split

run "$python" "$TESTS/property/splitter/compare.py" "$split" "$TESTS/property/splitter/evaluate.bash" \
	"$(long 10010 100010)" "${SEED:-$RANDOM}" "$scratch"
is "against a real bash and sh, no disagreement" "$status" 0
note "$out"
[ "$status" = 0 ] || note "$err"

# A comparison that cannot fail proves nothing: a splitter that knows nothing of $ and *.
cat >"$scratch/naive" <<'END'
#!/usr/bin/python3
import sys
for text in sys.stdin.buffer.read().split(b"\0")[:-1]:
    words = text.split()
    out = [b"plain", b"%d" % len(words)] + words + [b"end"] if words else [b"opaque"]
    sys.stdout.buffer.write(b"\0".join(out) + b"\0")
END
chmod 755 "$scratch/naive"
mkdir "$scratch/control"
run "$python" "$TESTS/property/splitter/compare.py" "$scratch/naive" "$TESTS/property/splitter/evaluate.bash" 500 1 "$scratch/control"
is "control: a careless splitter is found out" "$status" 1
like "... by a disagreement" "$out" '^disagreement'

# splits SCRIPT EXPECTED
splits() { is "split: $1" "$(printf '%s\0' "$1" | "$split" | tr '\0' '|')" "$2"; }
splits 'ls -l' 'plain|2|ls|-l|.|end|'
splits 'a && b || c; d | e' 'plain|1|a|&|1|b|o|1|c|>|1|d|||1|e|.|end|'
splits $'a\nb' 'plain|1|a|>|1|b|.|end|'
splits $'a &&\n b' 'plain|1|a|&|1|b|.|end|'
splits "a'b c'\"d\"" 'opaque|'
splits "x a'b c'\"d\"" 'plain|2|x|ab cd|.|end|'
splits "x ''" 'plain|2|x||.|end|'

opaque() {
	local script
	for script; do splits "$script" 'opaque|'; done
}
opaque 'a $x' 'a $(b)' 'a `b`' 'a "$x"' 'a "`b`"' 'a "\$x"' 'a > f' 'a < f' 'a 2>&1' 'a &' 'a & b' '(a)' \
	'{ a; }' 'a #b' 'a \b' 'a *' 'a ?' 'a [b]' 'a ~' 'a {b,c}' 'x=1 a' 'x=1' '! a' 'if a; then b; fi' 'a;;b' \
	'; a' 'a ; ; b' '&& a' 'a &&' 'a ||' 'a |' 'a |& b' "'a' b" '"a" b' "a 'b" 'a "b' '' ' ' '=a' 'a =b' \
	'%1' 'export PAGER=x; git log' 'declare a' 'time a' 'coproc a' $'a\rb' $'a \001' $'a \x7f' $'a \xff' \
	$'cat <<E\nx\nE' 'a <(b)' '[[ a ]]' '((1))' 'f() { a; }' 'a && && b' 'a ^b' '-x' '+x' '-c a' 'a; -b'

# More parts than anybody would count.
run sh -c 'i=0; while [ $i -lt 10000 ]; do printf "ls && "; i=$((i+1)); done; printf "rm -rf x\0"'
is "10 001 commands are 10 001" "$("$split" <"$scratch/.out" | tr '\0' '\n' | grep -cx '[13]')" 10001
finish
