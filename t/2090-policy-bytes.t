#!/bin/bash
# Bytes that are not UTF-8 travel unharmed, and none of them reaches a terminal raw.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"

odd=$scratch/$'od\xffd'
mkdir "$odd" "$odd/more" || skip_all "this file system takes only UTF-8 names"
b64() { printf '%s' "$1" | base64 -w0; }

run "$SBX/sbx-policy" -C "$odd" -s workspace-write --add-dir "$odd/more" -- $'a\xfe' plain
is "exit" "$status" 0
is "cwd" "$(ask .command.cwd.base64)" "$(b64 "$odd")"
is "argv" "$(ask .command.argv)" "[{\"base64\":\"$(b64 $'a\xfe')\"},\"plain\"]"
is "entry" "$(ask '[.policy.permissions.fs[] | select(.path.base64? == $p) | .access]' --arg p "$(b64 "$odd/.git")")" '["read"]'
is "root" "$(ask '[.policy.writable_roots[] | .root.base64? // empty]')" "[\"$(b64 "$odd")\"]"
is "configured root" "$(ask .policy.sandbox_policy.writable_roots)" "[{\"base64\":\"$(b64 "$odd/more")\"}]"
is "trust" "$(ask .policy.trust.path.base64)" "$(b64 "$odd")"
run "$SBX/sbx-policy" -C "$odd" -s workspace-write --check-path write $'x\xff'
is "--check-path" "$status$(ask .path.base64)" "0$(b64 $'x\xff')"
printf '{"sbx":1,"command":{"argv":["x"],"cwd":{"base64":"%s"}}}' "$(b64 "$odd")" >"$scratch/in"
run bash -c 'exec "$1" -C "$2" <"$0"' "$scratch/in" "$SBX/sbx-policy" "$ws"
is "a document's cwd" "$status" 0

mkdir "$odd/"$'esc\e[31m'
git init -q "$odd/"$'esc\e[31m' 2>/dev/null || mkdir "$odd/"$'esc\e[31m/.git'
run "$SBX/sbx-policy" -C "$odd" -s workspace-write --explain
is "--explain: exit" "$status" 0
ok "--explain: no raw control bytes" bash -c '! LC_ALL=C grep -q "[^[:print:][:space:]]" "$1"' - "$scratch/.out"
like "--explain: shown as text" "$out" 'od\\xffd'
run "$SBX/sbx-policy" -C $'/none\e[31m' -- true
unlike "errors: no raw control bytes" "$err" $'\e'

# A tree with sources, and no colour in a pipe.
run "$SBX/sbx-policy" -C "$ws" -s workspace-write -a never --explain
like "--explain: mode and source" "$out" '^sandbox +workspace-write +flag --sandbox$'
like "--explain: approval and source" "$out" '^approval +never +flag --ask-for-approval$'
like "--explain: entry and source" "$out" "^ +$ws +write +workspace$"
like "--explain: carve-out and source" "$out" "^ +$ws/.git +read +protected name$"
if have PROGRAM script; then
	run script -qec "'$SBX/sbx-policy' -C '$ws' --explain" /dev/null
	like "--explain: colour on a terminal" "$out" $'\e\\['
	run env NO_COLOR=1 script -qec "'$SBX/sbx-policy' -C '$ws' --explain" /dev/null
	unlike "--explain: none with NO_COLOR" "$out" $'\e\\['
fi
finish
