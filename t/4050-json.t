#!/bin/bash
# --json: the document with what the command printed and how it ended.
. "${0%/*}/lib/lib.sh"

# result FILTER: of the document that came out last
result() { jq -c ".result | $1" <"$scratch/.out"; }

for mode in danger-full-access workspace-write; do
	sbx=("$SBX/sbx-run" -s "$mode" -a never -C "$ws" --json)
	run "${sbx[@]}" -- sh -c 'echo out; echo err >&2; exit 3'
	is "$mode: the command's code" "$status" 3
	is "$mode: one line" "$(wc -l <"$scratch/.out")" 1
	is "$mode: the result" "$(result 'del(.duration_ms, .usage)')" \
		'{"outcome":"exited","exit_code":3,"signal":null,"timed_out":false,"denied":false,"evidence":"none","denials":[],"attempts":1,"stdout":"out\n","stderr":"err\n","truncated":{"stdout":false,"stderr":false}}'
	is "$mode: and the time it took" "$(result '.duration_ms | type, . >= 0, . < 60000' | xargs)" \
		"number true true"
	is "$mode: nothing on stderr" "$err" ""
	is "$mode: the rest of the document is there" \
		"$(jq -c 'keys - ["approval","command","exec","policy","result","sandbox","sbx"]' \
			<"$scratch/.out")" '[]'

	run "${sbx[@]}" -- sh -c 'kill -TERM $$; sleep 5'
	is "$mode: a signal" "$status $(result '[.exit_code,.signal]')" "143 [143,15]"

	run "${sbx[@]}" -- sh -c 'printf "a\377b"; printf "a\000b" >&2'
	is "$mode: bytes that are not UTF-8" "$(result '.stdout')" '{"base64":"Yf9i"}'
	is "$mode: NUL bytes" "$(result '.stderr')" '{"base64":"YQBi"}'
	run "${sbx[@]}" -- printf 'h\303\251'
	is "$mode: UTF-8 is text" "$(result '.stdout')" '"hé"'

	run "${sbx[@]}" -- sh -c 'head -c 3000000 /dev/zero | tr "\0" x; echo end >&2'
	is "$mode: 1 MiB is kept and the command does not wait" \
		"$status $(result '[(.stdout | length), .stderr, .truncated.stdout, .truncated.stderr]')" \
		'0 [1048576,"end\n",true,false]'
	run "${sbx[@]}" -- sh -c 'printf H; head -c 1048575 /dev/zero | tr "\0" x; printf T'
	is "$mode: the head, not the tail" "$(result '[.stdout[0:2], .stdout[-1:]]')" '["Hx","x"]'
	run "${sbx[@]}" -- sh -c 'head -c 1048576 /dev/zero | tr "\0" x'
	is "$mode: exactly 1 MiB is whole" "$(result '[(.stdout | length), .truncated.stdout]')" \
		'[1048576,false]'
	run "${sbx[@]}" -- sh -c 'head -c 1048575 /dev/zero | tr "\0" x; printf "\303\251\303\251"'
	is "$mode: a cut through a character leaves text" "$(result '.stdout | length')" 1048575

	is "$mode: stdin is the command's" \
		"$(echo hello | "${sbx[@]}" -- cat | jq -r .result.stdout)" hello
	run "${sbx[@]}" -- no-such-command
	is "$mode: not found" "$status" 127
	run "${sbx[@]}" -- sh -c 'echo $NO_COLOR $TERM'
	is "$mode: captured runs are told so" "$(result .stdout)" '"1 dumb\n"'
done

# A grandchild keeps the pipe: what was read stays, and we do not wait for it.
begin=$(date +%s%N)
run_sbx -s danger-full-access -a never --json -- sh -c 'echo kept; sleep 30 & echo $! >&2'
took=$((($(date +%s%N) - begin) / 1000000))
is "a daemon that holds the pipe" "$(result .stdout)" '"kept\n"'
ok "is waited for 2 s ($took ms)" test "$took" -ge 1900 -a "$took" -lt 20000
kill "$(jq -r .result.stderr <"$scratch/.out")"

# Where nobody observes, denials are guessed, and only where there is a sandbox to deny.
boxed=("$SBX/sbx-run" -s workspace-write -a never -C "$ws" --json -c 'sbx.observe="off"')
run "${boxed[@]}" -- sh -c "echo x >$outside/denied"
is "a refused write looks denied" "$(result '[.denied,.evidence]')" '[true,"heuristic"]'
ok "and was" absent "$outside/denied"
run "${boxed[@]}" -- sh -c 'echo "Permission denied"'
is "success is never a denial" "$(result '[.denied,.evidence]')" '[false,"none"]'
run "${boxed[@]}" -- sh -c 'echo "PERMISSION Denied"; exit 126'
is "words count before codes" "$(result .denied)" true
run "${boxed[@]}" -- sh -c 'echo other >&2; exit 1'
is "a plain failure is none" "$(result .denied)" false
run "${boxed[@]}" -- sh -c 'ulimit -c 0; kill -SYS $$'
is "SIGSYS is one" "$(result '[.exit_code,.denied]')" '[159,true]'
run_sbx -s danger-full-access -a never --json -- sh -c 'echo "Permission denied"; exit 1'
is "without a sandbox nothing is" "$(result '[.denied,.evidence]')" '[false,"none"]'

run_sbx -s workspace-write -a untrusted -C "$ws" --json -- touch "$ws/made"
is "not approved: the document says so" "$status $(jq -r .approval.decision <"$scratch/.out")" \
	"126 denied"
ok "and nothing ran" absent "$ws/made"
run_sbx --json --dry-run -- true
is "--json with --dry-run" "$status" 125
finish
