#!/bin/bash
# A flood only slows the command; the death of the observer ends it; and the
# grant that is offered is enough, and no more.
. "${0%/*}/lib/lib.sh"
need OBSERVER

# ---- a flood ------------------------------------------------------------------
opens=${OPENS:-64000}
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --json -- "$HELPER/flood" 64 "$opens" "$ws"
is "$opens opens of 64 threads are all done" "$(jq -r .result.stdout <<<"$out")" "$opens done, 0 failed"
is "and none is reported" "$(jq -c .result.denials <<<"$out")" '[]'
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --json -- "$HELPER/flood" 64 6400 "$outside"
is "control: those that are denied are" "$(jq -r .result.stdout <<<"$out")" "6400 done, 6400 failed"
is "each file once" "$(jq '.result.denials | length' <<<"$out")" 64
is "each time counted" "$(jq '[.result.denials[].count] | add' <<<"$out")" 6400

# ---- many things at once --------------------------------------------------------
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --json -- python3 -c '
import os, sys
for i in range(900):
    try:
        os.open(sys.argv[1] + "/many%d" % i, os.O_CREAT | os.O_WRONLY)
    except OSError:
        pass' "$outside"
is "900 things in a moment are all reported" "$(jq -c '[(.result.denials | length), .result.denials_dropped]' <<<"$out")" '[900,null]'
mkfifo "$scratch/unread"
exec 8<>"$scratch/unread"
began=$SECONDS
run timeout 60 "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --report json --report-fd 8 -- sh -c '
	for i in $(seq 900); do (: >"$1/many$i") 2>/dev/null; done; echo went on' - "$outside"
exec 8>&-
is "a report that nobody reads does not hold up the command" "$status $out" '0 went on'
note "that took $((SECONDS - began)) s"

# ---- the observer is killed ----------------------------------------------------
rm -f "$ws"/f*
"$SBX/sbx-run" -s workspace-write -a never -C "$ws" --json -- "$HELPER/flood" 64 64000000 "$ws" >"$scratch/killed" 2>&1 &
launcher=$!
eventually 10 exists "$ws/f63"
observer=$(pgrep -P "$launcher" -f sbx-linux-sandbox | head -n 1)
[ -n "$observer" ] || observer=$launcher
flood=$(pgrep -f "^$HELPER/flood 64 64000000" | head -n 1)
like "the flood runs" "$flood" '^[0-9]+$'
kill -KILL "$observer"
gone() { ! pgrep -f "^$HELPER/flood 64 64000000" >/dev/null; }
eventually 1 gone
ok "the tree is gone within a second of the observer's death" gone
wait "$launcher"
isnt "and that is no success" $? 0

# ---- stopped and continued, with nobody at a terminal ---------------------------
run timeout 120 setsid -w "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --json -- \
	sh -c '(sleep 0.3; kill -CONT $$) & kill -STOP $$; : >after; echo went on'
is "a command that stops and is continued goes on" "$(jq -r .result.stdout <<<"$out")" 'went on'

# ---- the grant is enough --------------------------------------------------------
mkdir -p "$outside/place" "$outside/beside"
echo old >"$outside/file"

# enough DESCRIPTION COMMAND...: denied, then done with just what was offered
enough() {
	local what=$1 policy grants
	shift
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --network off --json -- "$@"
	isnt "$what: fails" "$(jq .result.exit_code <<<"$out")" 0
	mapfile -t grants < <(jq -r '.result.denials[].grant.write[]?' <<<"$out" | sort -u)
	policy=$(jq -r '.result.denials[].grant.network // empty' <<<"$out" | sort | tail -n 1)
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --network "${policy:-off}" \
		"${grants[@]/#/--add-dir=}" -- "$@"
	is "$what: succeeds with ${grants[*]} $policy" "$status" 0
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --network "${policy:-off}" \
		"${grants[@]/#/--add-dir=}" -- sh -c ': >"$1/beside/made"' - "$outside"
	isnt "$what: nothing beside is writable" "$status" 0
	ok "$what: nothing beside was written" absent "$outside/beside/made"
}
enough "a new file" sh -c ': >"$1/place/new"' - "$outside"
ok "and it is there" exists "$outside/place/new"
enough "a new directory" mkdir "$outside/place/dir"
enough "removing" rm "$outside/place/new"
enough "a server on this machine" python3 -c 'import socket; socket.create_server(("127.0.0.1", 0))'

run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --network off --json -- python3 -c 'import socket; socket.create_server(("127.0.0.1", 0))'
if have NAMESPACES; then least=loopback; else least=on; fi
is "$least is what is offered" "$(jq -r '.result.denials[0].grant.network' <<<"$out")" "$least"
finish
