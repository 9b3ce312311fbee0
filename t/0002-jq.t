#!/bin/bash
# t/helper/jq.c says what jq says, also where it asks it.
. "${0%/*}/lib/lib.sh"
anyone

echo '{"a":{"b":2},"c":1,"l":[{"p":"q","v":7},{"p":"z","v":8}],"s":"\u00e9\u007f","t":true}
	{"c":5.50,"l":[],"a":{},"s":"k"}' >"$scratch/documents"
jqs() { # ARG...: both say it, byte for byte, by the same status
	run "$HELPER/jq" "$@" <"$scratch/documents"
	[ "$status" = "$(command jq "$@" <"$scratch/documents" >"$scratch/jq.out" 2>"$scratch/jq.err"; echo $?)" ] &&
		cmp "$scratch/.out" "$scratch/jq.out" && cmp "$scratch/.err" "$scratch/jq.err"
}
for filter in .a.b '"\(.a.b) \(.c) x\n"' '[.a,.c]' '.x // "none"' '.l[0].p' '.l[-1].v' '.a["b"]' .c.x '.l[] | .p' \
	'[.l[] | select(.p == "q") | .v][0] // "absent"' '.a.b = {x: 1, y: [$w]} | .c += 1' '.l | length' '.a|=.b' \
	'del(.a)' '.l | map(.p)' '{a, x: .c, "y z": $w, $w}' '.c == 1 and .a.b == 2 or .t' .q.r.s '.s + "t"' .a.b? \
	'.a.b as $x | $x' '.a.z.y = 1' '.l += ["x"]' .s '.t // .c | not' empty '(.a | .b), .c' '[.l[].p] | join("-")' \
	'"\([.l[].p])\(.a)"' '.l[0:1]' '.c = .a | .a = null' '.l | .[0]' '$none' '.a | keys' '.c - 1' ']' '' \
	'keys - ["a", "t"] | join(" ")' '.a | has("b"), has("c")' '[.l[].p] | unique | length' '[.s, "b", "b"] | unique, sort, type' \
	'.l | tojson | fromjson | .[0] | tostring' '[.l[].v] | add' 'if .c == 1 then .s elif .t then 1 else [.] end' \
	'if .a.b then "\(.c)" else "no" end | startswith("1"), endswith("1"), contains("o"), ltrimstr("1")' \
	'.c + 1 - 2' '[.[] | type]' '.[$w]' '$j.k[0]' '.l[] | select(.p | startswith("q"))' 'keys[0]' 'sort' 'tojson' '-1'; do
	ok "what jq says: $filter" jqs -c --arg w W --argjson j '{"k": ["v"]}' "$filter"
done
for option in -r -rc -s -e -n --tab; do
	for filter in .a .x empty .t; do ok "... with $option: $filter" jqs $option "$filter"; done
done
finish
