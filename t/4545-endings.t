#!/bin/bash
# Whoever reads events or the result is told the end, whatever it was, and whose status it is.
. "${0%/*}/lib/lib.sh"
need SANDBOX
export HOME=$scratch/home
mkdir -m 700 "$HOME"
text=$ws/text
echo x >"$text"
chmod 644 "$text"

# ended STATUS OUTCOME OPTION...: by every fd that is told, and in every way to run
ended() {
	local wanted="$1 $2"
	shift 2
	run "$SBX/sbx-run" -s workspace-write -C "$ws" --report-fd 9 --result-fd 8 "$@" 9>"$scratch/events" 8>"$scratch/result"
	is "$wanted: $*" "$status $(told events)" "${wanted% *} $wanted"
	is "... on the result's fd too, after the document" \
		"$(told result) $(jq -r 'select(.sbx) | "\(.result.exit_code) \(.result.outcome)"' "$scratch/result") $(wc -l <"$scratch/result")" \
		"$wanted $wanted 2"
	run "$SBX/sbx-run" -s workspace-write -C "$ws" --json "$@"
	is "... and with --json" "$status $(jq -r .result.outcome <<<"$out")" "$wanted"
}
told() { tail -n 1 "$scratch/$1" | jq -r '"\(.status) \(.outcome)\(if .event == "end" then "" else " no end" end)"'; }
ended 0 exited -a never -- true
ended 3 exited -a never -- sh -c 'echo said; exit 3'
for code in 124 125 126 127 137; do ended $code exited -a never -- sh -c "exit $code"; done
ended 137 signalled -a never -- sh -c 'kill -9 $$'
ended 124 timed-out -a never --timeout 0.2 -- sleep 9
ended 127 not-found -a never -- nosuchprogram
ended 126 not-executable -a never -- "$text"
ended 126 not-approved -a never --escalate -- true
ended 126 not-approved -a untrusted -- touch made
ended 126 not-approved -a untrusted --approver false -- touch made
ended 127 not-found -s danger-full-access -a never -- nosuchprogram
ended 126 not-executable -s danger-full-access -a never -- "$text"
ended 127 exited -s danger-full-access -a never -- sh -c 'exit 127'
ended 143 signalled -s danger-full-access -a never -- sh -c 'kill $$'
ended 125 failed -a never -s nonsense -- true
ended 125 failed -a never --audit "$ws/text" -- true
printf '#!/bin/sh\ncat >/dev/null\nexit 5\n' >"$scratch/broken"
chmod 755 "$scratch/broken"
ended 125 failed -a never --stage "wrap=$scratch/broken" -- true
ended 125 failed -a never --stage wrap="$scratch/absent" -- true

# Wrapped documents: an end each.
"$SBX/sbx-run" -s workspace-write -a never -C "$ws" --dry-run -- sh -c 'exit 5' >"$scratch/in"
"$SBX/sbx-run" -s workspace-write -a never -C "$ws" --dry-run -- nosuchprogram >>"$scratch/in"
"$SBX/sbx-run" -s workspace-write -a never -C "$ws" --escalate --dry-run -- true >>"$scratch/in" 2>/dev/null
run "$SBX/sbx-run" --exec --report-fd 9 --result-fd 8 <"$scratch/in" 9>"$scratch/events" 8>"$scratch/result"
is "--exec: one for each document" "$(jq -r 'select(.event == "end") | "\(.status) \(.outcome)"' "$scratch/events" | tr '\n' ' ')" \
	"5 exited 127 not-found 126 not-approved "
is "... and on the result's fd" "$(jq -r '.outcome // .result.outcome' "$scratch/result" | uniq -c | xargs)" "2 exited 2 not-found 2 not-approved"
run "$SBX/sbx-run" --exec --result-fd 8 <<<'junk' 8>"$scratch/result"
is "what is no document" "$status $(told result)" "125 125 failed"
run "$SBX/sbx-run" --result-fd 8 --bogus -- true 8>"$scratch/result"
is "wrong usage, once the fd is known" "$status $(told result)" "125 125 failed"
run "$SBX/sbx-run" --apply-patch --result-fd 8 junk 8>"$scratch/result"
is "a patch that is none" "$status $(told result)" "1 1 failed"

# The output flows, and the command cannot write there.
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --result-fd 8 -- sh -c 'cat; echo err >&2; echo "{}" >&8' \
	<<<input 8>"$scratch/result"
is "in, out and err are the command's" "$out $(head -n 1 <<<"$err")" "input err"
is "the fd is not" "$(wc -l <"$scratch/result")" 2
is "nothing was captured" "$(head -n 1 "$scratch/result" | jq -r '.result.stdout // "none"')" none
for wrong in "--result-fd 1" "--result-fd 77" "--result-fd 8 --keep-fd 8" "--result-fd 8 --report-fd 8" \
	"--result-fd 8 --dry-run" "--result-fd 8 --explain" "--result-fd 7"; do
	# shellcheck disable=SC2086
	run "$SBX/sbx-run" $wrong -- touch "$ws/ran" 8>/dev/null 7</dev/null
	is "wrong usage: $wrong" "$status $(ls "$ws")" "125 text"
done

# Whoever started it holds the other end of a pipe, and is killed.
mkfifo "$scratch/held"
held() { # WHAT OPTION...: a command that is deaf to being asked
	local seconds=$((80000 + $$)) what=$1 caller
	shift
	rm -f "$ws/begun" "$scratch/result"
	sleep 1000 8>"$scratch/held" &
	caller=$!
	# shellcheck disable=SC2016
	run_in_background "$SBX/sbx-run" "$@" -C "$ws" --while-fd 7 --result-fd 8 -- \
		sh -c 'trap "" TERM HUP; setsid sleep $0 & touch begun; sleep $0; sleep $0' "$seconds" 7<"$scratch/held" 8>"$scratch/result"
	ok "$what: control: it runs" eventually 20 test -e "$ws/begun"
	is "$what: ... and two of its own" "$(eventually 20 sleeps "$seconds" 2; pgrep -cfx "sleep $seconds")" 2
	kill -9 "$caller"
	wait "$background"
	is "$what: whose caller is killed ends" "$? $(told result) $(pgrep -cfx "sleep $seconds")" "143 143 signalled 0"
}
sleeps() { [ "$(pgrep -cfx "sleep $1")" = "$2" ]; }
run_in_background() { "$@" >/dev/null 2>&1 & background=$!; }
held "in the sandbox" -s workspace-write -a never
held "without one" -s danger-full-access -a never
sleep 1000 8>"$scratch/held" &
run "$SBX/sbx-run" -s workspace-write -a never --report off -C "$ws" --while-fd 7 -- sh -c 'ls /proc/self/fd | xargs; exit 3' 7<"$scratch/held"
kill $!
is "one whose caller is there ends by itself, and has not that fd" "$status $out" "3 0 1 2 3"
for wrong in 1 77 x; do
	run "$SBX/sbx-run" --while-fd $wrong -- touch "$ws/ran"
	is "wrong usage: --while-fd $wrong" "$status $(ls "$ws/ran" 2>/dev/null)" "125 "
done
rm -f "$ws/begun"

# A reader that went away does not change what became of the command, but it is no success.
run bash -c '"$0" -s workspace-write -a never -C "$1" --result-fd 8 -- touch made 8> >(exec 8>&-; exit)' "$SBX/sbx-run" "$ws"
is "nobody reads the result" "$(ls "$ws/made") $status" "$ws/made 125"
run bash -c '"$0" -s workspace-write -a never -C "$1" --report-fd 8 -- touch made 8> >(exit)' "$SBX/sbx-run" "$ws"
is "nobody reads the events" "$status" 0

# A file in the workspace is the command's to write as well, but it ends with what we say.
cat >"$ws/forge" <<'END'
end='{"event":"end","status":0,"outcome":"exited"}'
i=0
while [ $i -lt 500 ]; do echo "$end"; i=$((i + 1)); done >>made
exit 3
END
for how in "--result-fd 8" "--report-fd 8" "--report sarif --report-fd 8" "--report junit --report-fd 8" --json; do
	# shellcheck disable=SC2016
	run bash -c 'exec 8>"$1/made"; [ "$2" != --json ] || exec >&8; "$0" -s workspace-write -a never -C "$1" $2 -- sh forge' \
		"$SBX/sbx-run" "$ws" "$how"
	is "the command writes nothing behind the end: $how" \
		"$status $([ -s "$ws/made" ] && tail -n 1 "$ws/made" | grep -c '"status":0,"outcome":"exited"}$')" "3 0"
done
finish
