#!/bin/bash
# Arguments, environment and paths are bytes: what is not UTF-8 passes as is.
. "${0%/*}/lib/lib.sh"
export LC_ALL=C

bytes=$'\xff\xfe\x80 \xc3\x28'
hex() { od -An -tx1 | tr -d ' \n'; }
want=$(printf %s "$bytes" | hex)

"${box[@]}" printf %s "$bytes" >"$scratch/o" 2>"$scratch/.err"
is "an argument" "$(hex <"$scratch/o")" "$want"
V=$bytes "${box[@]}" sh -c 'printf %s "$V"' >"$scratch/o" 2>"$scratch/.err"
is "a variable" "$(hex <"$scratch/o")" "$want"
ws=$scratch/$bytes
mkdir -p "$ws/.git" "$ws/$bytes/.git"
set_box
"${box[@]}" sh -c 'printf %s "${PWD##*/}"; echo x >made; echo x >.git/made; echo x >*/.git/made' >"$scratch/o" 2>"$scratch/.err"
is "a workspace" "$(hex <"$scratch/o")" "$want"
ok "it is writable" test -e "$ws/made"
ok "its .git is not" absent "$ws/.git/made"
ok "nor that of a nested repository" absent "$ws/$bytes/.git/made"
(cd "$ws" && "$SBX/sbx-run" -s workspace-write -a never -- touch here 2>/dev/null)
ok "as the working directory" test -e "$ws/here"
mkdir "$scratch/add$bytes"
run_sbx -s workspace-write -a never -C "$ws" --add-dir "$scratch/add$bytes" -- touch "$scratch/add$bytes/x"
ok "as an added directory" test -e "$scratch/add$bytes/x"

for name in $'new\nline' $'tab\t' 'quote"' "quote'" 'back\slash' '$(touch x)' '`id`' '*' ' ' $'\e[31mred' 'a,b:c;d' '%s%n'; do
	ws=$scratch/odd/$name
	mkdir -p "$ws/.git"
	run_sbx -s workspace-write -a never -C "$ws" -- sh -c 'echo x >made; echo x >.git/made'
	ok "workspace $(printf %q "$name"): writable" test -e "$ws/made"
	ok "workspace $(printf %q "$name"): .git is not" absent "$ws/.git/made"
	unlike "workspace $(printf %q "$name"): no control bytes in messages" "$err" $'\e'
done
# Standard streams are byte-exact, and large.
head -c 3000000 /dev/urandom >"$scratch/random"
ws=$scratch/ws
set_box
"${box[@]}" cat <"$scratch/random" >"$scratch/o"
ok "three megabytes pass through unchanged" cmp "$scratch/random" "$scratch/o"
finish
