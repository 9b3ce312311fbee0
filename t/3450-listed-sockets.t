#!/bin/bash
# A listed unix socket is the one that existed when the run started, not
# whatever has its name: another that is renamed onto it is not reached.
. "${0%/*}/lib/lib.sh"
need SANDBOX
need OBSERVER

ours=$ws/ours.sock
private=$ws/private.sock
listen "unix-stream:$ours" "unix-stream:$private"
list() { printf 'sandbox_workspace_write.unix_sockets=[%s]' "$(printf '"%s",' "$@")"; }
talk=("$TRY" unix-connect stream)
# shellcheck disable=SC2016
swap='for s in "$2"; do mv "$3" "$s" && "$1" unix-connect stream "$s"; done'

set_box -c "$(list "$ours")"
boxed "${talk[@]}" "$ours"
isnt "control: the listed socket is reached" "$(heard)" ""
deaf
boxed "${talk[@]}" "$private"
is "another is not" "$(heard)" ""
deaf

unboxed sh -c "$swap" - "$TRY" "$ours" "$private"
isnt "control: renamed onto the name it is reached without the sandbox" "$(heard)" ""
restart() {
	rm -f "$ws"/*.sock "$outside"/*.sock "$scratch/mark"
	listen "unix-stream:$ours" "unix-stream:$private" "unix-stream:$outside/other.sock"
}
# unreached DESCRIPTION SCRIPT: which gets t/helper/try, our socket and the private one
unreached() {
	restart
	boxed sh -c "$2" - "$TRY" "$ours" "$private"
	is "$1" "$(heard)" ""
}
unreached "renamed onto the name it is not reached" "$swap"
unreached "nor linked onto it" 'ln -f "$3" "$2.new" && mv "$2.new" "$2" && "$1" unix-connect stream "$2"'
unreached "nor by a symbolic link" 'ln -sf "$3" "$2" && "$1" unix-connect stream "$2"'
unreached "nor by a link to the same name elsewhere" \
	'mkdir d && mv "$3" d/ours.sock && mv "$2" away.sock && ln -s d/ours.sock "$2" && "$1" unix-connect stream "$2"'
rm -rf "$ws/d"

# What does not exist at the start.
restart
rm -f "$ours"
boxed sh -c "$swap" - "$TRY" "$ours" "$private"
is "a name that was free at the start, in a writable place: not reached" "$(heard)" ""
restart
late=$outside/late.sock
set_box -c "$(list "$late")"
# shellcheck disable=SC2016
"${box[@]}" sh -c 'echo began >began; until test -e "$2"; do sleep 0.02; done; "$1" unix-connect stream "$2"' - "$TRY" "$late" \
	>"$scratch/.out" 2>"$scratch/.err" &
waiting=$!
eventually 10 test -e "$ws/began"
mv "$outside/other.sock" "$late"
wait "$waiting"
isnt "one that is made later outside of every writable place is reached" "$(heard)" ""

# A name that is a link which the command can turn.
restart
ln -s "$outside/other.sock" "$ws/link.sock"
set_box -c "$(list "$ws/link.sock")"
boxed "${talk[@]}" "$ws/link.sock"
is "a listed name that is a link in a writable place: refused" "$status" 125
like "... in words" "$err" 'name the socket itself'
is "... and nothing is reached" "$(heard)" ""
ln -s "$outside/other.sock" "$outside/link.sock"
set_box -c "$(list "$outside/link.sock")"
boxed "${talk[@]}" "$outside/link.sock"
isnt "control: through a link elsewhere it is" "$(heard)" ""
finish
