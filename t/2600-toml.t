#!/bin/bash
# TOML 1.0.0 is read exactly: all of toml-test, where an error is, what the
# limits are, and the two halves of -c KEY=VALUE.
#
# toml-test is found by $SBX_TOML_TEST, or next to the checkout.
suite=${SBX_TOML_TEST:-}
. "${0%/*}/lib/lib.sh"
decode=$HELPER/toml-decode
suite=${suite:-$ROOT/../shared/toml-test}

# given TEXT...: what `printf` makes of it is read as a document
given() {
	# shellcheck disable=SC2059
	printf "$@" >"$scratch/given.toml"
	run "$decode" <"$scratch/given.toml"
}

# refused DESCRIPTION LINE:COLUMN REASON TEXT...
refused() {
	local what=$1 where=$2 reason=$3
	shift 3
	given "$@"
	is "refused: $what" "$status/$err" "1/3 bad-toml: stdin:$where: $reason"
}

# accepted DESCRIPTION JSON TEXT...: untagged, keys sorted
accepted() {
	local what=$1 wanted=$2
	shift 2
	given "$@"
	is "$what" "$(python3 "$scratch/compare.py" plain <"$scratch/.out" 2>&1)" "$wanted"
}

# at DESCRIPTION LINE:COLUMN WORD...: the place in what was given last
at() {
	local what=$1 where=$2
	shift 2
	run "$decode" find "$@" <"$scratch/given.toml"
	is "$what" "$out" "$where"
}

cat >"$scratch/compare.py" <<'END'
import json, os, re, subprocess, sys

def is_scalar(x):
    return isinstance(x, dict) and set(x) == {"type", "value"} and all(isinstance(v, str) for v in x.values())

def moment(text):
    text = text.upper().replace(" ", "T")
    return re.sub(r"\.(\d*?)0*(?=$|Z|[+-])", lambda m: "." + m[1] if m[1] else "", text)

def scalar(x):
    kind, text = x["type"], x["value"]
    if kind == "float":
        number = float(text)
        return kind, "nan" if number != number else number.hex()
    if kind == "integer":
        return kind, int(text)
    if kind in ("datetime", "datetime-local", "date-local", "time-local"):
        return kind, moment(text)
    return kind, text

def same(a, b):
    if is_scalar(a) or is_scalar(b):
        return is_scalar(a) and is_scalar(b) and scalar(a) == scalar(b)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)

def plain(x):
    if is_scalar(x):
        return scalar(x)[1] if x["type"] in ("string", "integer") else x["value"]
    if isinstance(x, list):
        return [plain(e) for e in x]
    return {k: plain(v) for k, v in x.items()}

def verdict(decode, path, valid):
    with open(path, "rb") as text:
        run = subprocess.run([decode], stdin=text, capture_output=True)
    said = run.stderr.decode(errors="replace").strip()
    if valid and run.returncode != 0:
        return "refused: " + said
    if valid:
        with open(path[:-5] + ".json", encoding="utf-8") as wanted:
            return None if same(json.load(wanted), json.loads(run.stdout)) else "read as something else"
    if run.returncode != 1:
        return "status %d, not refused: %s" % (run.returncode, said)
    if not re.fullmatch(r"3 bad-toml: stdin:[1-9]\d*:[1-9]\d*: .+", said):
        return "refused without a place: " + said
    return None

if sys.argv[1] == "plain":
    print(json.dumps(plain(json.load(sys.stdin)), sort_keys=True))
elif sys.argv[1] == "same":
    sys.exit(0 if same(json.loads(sys.argv[2]), json.loads(sys.argv[3])) else 1)
else:
    decode, tests, which = sys.argv[2:]
    with open(os.path.join(tests, "files-toml-1.0.0")) as names:
        files = [f for f in names.read().split("\n") if f.endswith(".toml") and f.startswith(which + "/")]
    wrong = [(f, v) for f in files for v in [verdict(decode, os.path.join(tests, f), which == "valid")] if v]
    for file, why in wrong:
        print("%s: %s" % (file, why))
    print("%d files, %d wrong" % (len(files), len(wrong)))
END

# ---- toml-test ---------------------------------------------------------------

compare() { python3 "$scratch/compare.py" "$@"; }
one='{"a":{"type":"float","value":"1.0"},"d":{"type":"datetime","value":"2000-01-01 00:00:00.50z"}}'
ok "control: equal values are equal" compare same "$one" \
	'{"d":{"type":"datetime","value":"2000-01-01T00:00:00.5Z"},"a":{"type":"float","value":"1e0"}}'
not_ok "control: another number is not" compare same "$one" "${one/1.0/1.1}"
not_ok "control: another type is not" compare same "$one" "${one/float/integer}"
not_ok "control: another time is not" compare same "$one" "${one/.50z/.05z}"
not_ok "control: another key is not" compare same "$one" "${one/\"a\"/\"b\"}"

if [ -r "$suite/tests/files-toml-1.0.0" ]; then
	for which in valid invalid; do
		run compare suite "$decode" "$suite/tests" "$which"
		note "toml-test $which: $(tail -n 1 <<<"$out")"
		like "toml-test: every $which file" "$out" '^[1-9][0-9]{2,} files, 0 wrong$'
	done
else
	skip "toml-test: every valid and invalid file" "no toml-test here: set SBX_TOML_TEST"
fi

# ---- where an error is ---------------------------------------------------------

refused "text without quotes" 2:5 "not a value; text needs quotes" 'a = 1\nb = yes\n'
refused "a key twice, naming the first" 3:1 '"a" is already defined, in line 1' 'a = 1\n\na = 2\n'
refused "a table twice" 3:2 '"t" is already defined, in line 1' '[t]\nx = 1\n[t]\n'
refused "a table under a value" 2:2 '"a" is already defined, in line 1' 'a = 1\n[a.b]\n'
refused "a header for a table of dotted keys" 3:4 '"b" is already defined, in line 2' '[a]\nb.c = 1\n[a.b]\n'
refused "dotted keys into a table of a header" 4:3 '"c" is already defined, in line 1' \
	'[a.b.c]\nz = 9\n[a]\nb.c.t = 1\n'
refused "an inline table extended" 2:1 '"a" is already defined, in line 1' 'a = {b = 1}\na.c = 2\n'
refused "an array extended" 2:3 '"a" is already defined, in line 1' 'a = []\n[[a]]\n'
refused "columns count characters" 1:11 "expected the end of the line, found 'x'" 'a = "ééé" x\n'
refused "columns after a byte order mark" 1:5 "expected a value, found the end of the line" '\xef\xbb\xbfa = \n'
refused "CRLF is one line" 2:3 "expected '=' or '.' after the key, found 'c'" 'a=1\r\nb c\r\n'
refused "an open string, at its start" 1:5 "this string has no end on its line" 'a = "x\nb = 1\n'
refused "an open multi-line string, at its start" 2:5 "this string has no end" '\na = """x\nb = 1\n'
refused "an unknown escape" 1:7 "unknown escape; write \\\\ for a backslash, or use '...'" '%s' 'a = "x\y"'
refused "a half of a surrogate pair" 1:6 "U+D800 is not a character" '%s' 'a = "\ud800"'
refused "\\x, which is TOML 1.1" 1:6 "unknown escape; write \\\\ for a backslash, or use '...'" '%s' 'a = "\x41"'
refused "a line break in an inline table" 1:7 "expected a key, found the end of the line" 'a = { \nb = 1 }\n'
refused "a comma before }" 1:14 "expected a key, found '}'" 'a = { b = 1, }\n'
refused "bytes that are not UTF-8" 2:3 "byte 0xff is not UTF-8 text" 'a = 1\n# \xff\n'
refused "an overlong form" 1:6 "byte 0xc0 is not UTF-8 text" 'a = "\xc0\x80"\n'
refused "a cut character at the end" 1:3 "byte 0xe2 is not UTF-8 text" '# \xe2\x82'
refused "NUL" 1:3 "control character 0x00" 'a \000= 1\n'
refused "an escape sequence in a comment" 1:3 "control character 0x1b" '# \033[2J\n'
refused "a bare CR" 1:6 "a carriage return without a line feed" 'a = 1\rb = 2\n'
refused "a day that is not" 1:13 "not a valid date or time" 'a = 2100-02-29\n'
refused "an integer of 65 bits" 1:5 "this integer does not fit in 64 bits" 'a = 9223372036854775808\n'
refused "a float beyond all" 1:5 "this float is out of range" 'a = 1e999\n'
refused "a leading zero" 1:5 "a number cannot begin with a zero" 'a = 0755\n'

long=$(printf '%0300d' 0)
given '%s\n' "$long = 1" "$long = 2"
like "a long key is cut in the error" "$err" 'stdin:2:1: "0{36}\.\.\." is already defined, in line 1$'

# ---- values that JSON does not have ----------------------------------------------

accepted "a string with NUL" '{"a": "x\u0000y"}' '%s' 'a = "x\u0000y"'
accepted "dates are written one way" '{"a": ["2000-02-29T01:02:03.5Z", "2000-02-29", "01:02:03"]}' \
	'a = [2000-02-29 01:02:03.5z, 2000-02-29, 01:02:03]\n'
accepted "a leap second" '{"a": "1990-12-31T23:59:60Z"}' 'a = 1990-12-31T23:59:60Z\n'
accepted "the ends of 64 bits" '{"a": [-9223372036854775808, 9223372036854775807]}' \
	'a = [-9223372036854775808, 0x7fffffffffffffff]\n'
given 'a = inf\nb = {"$toml" = "float", value = "inf", sealed = false}\n'
is "a table cannot pose as inf" "$(tr -d '\n ' <"$scratch/.out")" \
	'{"a":{"type":"float","value":"inf"},"b":{"$toml":{"type":"string","value":"float"},"value":{"type":"string","value":"inf"},"sealed":{"type":"bool","value":"false"}}}'

# A key that is cut at its NUL when jansson merges would become another key.
given '%s' '"projects\u0000x" = 1'
is "control: TOML allows NUL in a key" "$status" 0
run "$decode" find projects <"$scratch/given.toml"
is "refused: NUL in a key" "$status/$err" "1/3 bad-toml: stdin:1:1: a key cannot contain NUL here"
run "$decode" key '"projects\u0000x"'
is "refused: NUL in a key of -c" "$status/$err" "1/3 bad-toml: key:1:1: a key cannot contain NUL here"

# ---- places of what was read -----------------------------------------------------

given '\xef\xbb\xbfa.b = 1\r\n\n[ "t x" . c ]\nd = [ true,\n  # no\n  {"\xc3\xa9" = 2, "e\\u0066" = 3} ]\n\n[[l]]\n[[l]]\nk = 1\n[t.u]\n[t]\n'
at "a table of a dotted key" 1:1 a
at "a dotted key" 1:3 a b
at "a table passed through by a header" 3:3 "t x"
at "a table of a header" 3:11 "t x" c
at "an element" 4:7 "t x" c d 0
at "a table in an array" 6:3 "t x" c d 1
at "a key beside a character of two bytes" 6:13 "t x" c d 1 ef
at "an array of tables, at the first" 8:3 l
at "its second table" 9:3 l 1
at "a key in it" 10:1 l 1 k
at "a table that got its header later" 12:2 t
at "a key that is not there" nowhere a c
at "an index past the end" nowhere l 2
at "a word for an index" nowhere l x
at "below a scalar" nowhere a b c

# ---- limits ------------------------------------------------------------------------

nest() { printf "%*s" "$1" "" | sed "s/ /$2/g"; }
given 'a = %s%s\n' "$(nest 64 '[')" "$(nest 64 ']')"
is "64 arrays in each other" "$status" 0
refused "65 arrays" 1:69 "nested more than 64 deep" 'a = %s%s\n' "$(nest 65 '[')" "$(nest 65 ']')"
refused "65 inline tables" 1:257 "nested more than 64 deep" '%s1%s\n' "$(nest 66 'a={ ')" "$(nest 66 '}')"
given '%sz = 1\n' "$(nest 63 'a.')"
is "a key of 64 parts" "$status" 0
refused "a key of 65 parts" 1:129 "nested more than 64 deep" '%sz = 1\n' "$(nest 64 'a.')"
refused "headers and dots together" 2:65 "nested more than 64 deep" '[%sz]\n%sz = 1\n' \
	"$(nest 31 'a.')" "$(nest 33 'b.')"
refused "arrays of tables count twice" 1:129 "nested more than 64 deep" '[[%sz]]\n' "$(nest 63 'a.')"
refused "a hundred thousand brackets" 1:69 "nested more than 64 deep" 'a = %s\n' "$(nest 100000 '[')"

python3 -c 'print("\n".join("%x=1" % i for i in range(100000)))' >"$scratch/many"
run "$decode" find 1869f <"$scratch/many"
is "100 000 keys" "$out" 100000:1
echo 'more = 1' >>"$scratch/many"
run "$decode" <"$scratch/many"
is "refused: 100 001 keys" "$err" "3 bad-toml: stdin:100001:1: more than 100000 keys and elements"
python3 -c 'print("a = [" + "1," * 100000 + "]")' >"$scratch/many"
run "$decode" <"$scratch/many"
is "refused: 100 000 elements and their key" "$err" \
	"3 bad-toml: stdin:1:200004: more than 100000 keys and elements"
python3 -c 'print("# " + "x" * (1048576 - 3))' >"$scratch/many"
run "$decode" <"$scratch/many"
is "1 MiB" "$status" 0
echo >>"$scratch/many"
run "$decode" <"$scratch/many"
is "refused: a byte more" "$err" "3 bad-toml: stdin:1:1: longer than 1048576 bytes"

# One line, one long header, one long path: each is quadratic in a careless reader.
python3 -c 'print("a = {" + ", ".join("k%d = 1" % i for i in range(70000)) + "}")' >"$scratch/line"
python3 -c 'print("[" + "x" * 400000 + "]\n" + "\n".join("k%d = 1" % i for i in range(50000)))' >"$scratch/header"
python3 -c 'print("\n".join("[[a]]\n[a.b.c.d.e.f.g]" for i in range(10000)))' >"$scratch/path"
cat >"$scratch/memory.py" <<'END'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "find", "nothing"], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
END
for shape in line header path; do
	run timeout 60 "$decode" find nothing <"$scratch/$shape"
	is "no quadratic time: $shape" "$status $out" "0 nowhere"
	run python3 "$scratch/memory.py" "$decode" <"$scratch/$shape"
	ok "no quadratic memory: $shape, $out MB" [ "$out" -lt 400 ]
done

# ---- -c KEY=VALUE --------------------------------------------------------------------

# value TEXT WANTED: WANTED is compact tagged JSON, or the error
value() {
	run "$decode" value "$1"
	is "value: ${1@Q}" "$([ "$status" = 0 ] && tr -d '\n ' <<<"$out" || echo "$err")" "$2"
}
value '  true ' '{"type":"bool","value":"true"}'
value '"x"' '{"type":"string","value":"x"}'
value $'[1,\n 2]' '[{"type":"integer","value":"1"},{"type":"integer","value":"2"}]'
value '{a.b = 1}' '{"a":{"b":{"type":"integer","value":"1"}}}'
value '1979-05-27 07:32:00' '{"type":"datetime-local","value":"1979-05-27T07:32:00"}'
value 'read-only' "3 bad-toml: value:1:1: not a value; text needs quotes"
value '' "3 bad-toml: value:1:1: expected a value, found the end of the text"
value '1 2' "3 bad-toml: value:1:3: expected nothing after the value, found '2'"
value '1 # one' "3 bad-toml: value:1:3: expected nothing after the value, found '#'"
value $'1\n' "3 bad-toml: value:1:2: expected nothing after the value, found the end of the line"
value $'"\xff"' "3 bad-toml: value:1:2: byte 0xff is not UTF-8 text"

# key WORD TEXT WANTED: compact JSON, or the error
key() {
	run "$decode" "$1" "$2"
	is "$1: ${2@Q}" "$([ "$status" = 0 ] && tr -d '\n' <<<"$out" | sed 's/, */,/g;s/\[ */[/' || echo "$err")" "$3"
}
key key 'a' '["a"]'
key key ' a . "b.c" .'"'d'" '["a","b.c","d"]'
key key '""' '[""]'
key key 'a..b' "3 bad-toml: key:1:3: expected a key, found '.'"
key key 'a.' "3 bad-toml: key:1:3: expected a key, found the end of the text"
key key '' "3 bad-toml: key:1:1: expected a key, found the end of the text"
key key 'a=1' "3 bad-toml: key:1:2: expected nothing after the key, found '='"
key key '"""a"""' "3 bad-toml: key:1:1: a key cannot be a multi-line string"
key key 'é' "3 bad-toml: key:1:1: expected a key, found U+00E9"
key prefix 'projects."/a=b".trust_level = "x"' '["projects","/a=b","trust_level","= \"x\""]'
key prefix 'a' '["a",""]'
key prefix '=1' "3 bad-toml: key:1:1: expected a key, found '='"

finish
