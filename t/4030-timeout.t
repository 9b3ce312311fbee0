#!/bin/bash
# A timeout ends everything the command started, with 124, in time.
. "${0%/*}/lib/lib.sh"

stubborn='trap "echo term >>said" TERM HUP INT
	(trap "" TERM; exec sleep 4721.25) &
	setsid sh -c "trap \"\" TERM; exec sleep 4722.25" &
	(setsid sh -c "sleep 4723.25 & sleep 0" &)
	echo ready; while :; do sleep 0.05; done'

for mode in danger-full-access workspace-write; do
	sbx=("$SBX/sbx-run" -s "$mode" -a never -C "$ws")
	rm -f "$ws/said"
	begin=$(date +%s%N)
	run "${sbx[@]}" --timeout 0.5 -- bash -c "$stubborn"
	took=$((($(date +%s%N) - begin) / 1000000))
	is "$mode: 124" "$status" 124
	is "$mode: said in a line" "$(tail -n 1 <<<"$err")" "sbx-run: timed out after 500ms, and was ended (--timeout)"
	is "$mode: the command was started" "$out" ready
	is "$mode: it was asked first" "$(cat "$ws/said")" term
	ok "$mode: it took 500 ms and not much more ($took)" test "$took" -ge 500 -a "$took" -lt 10000
	for name in 4721.25 4722.25 4723.25; do
		ok "$mode: nothing is left ($name)" not_running "$name"
	done
	run "${sbx[@]}" --report off --timeout 1.5s -- sleep 4727.25
	is "$mode: --report off: unsaid" "$status$err" 124
	run "${sbx[@]}" --timeout 30 -- sh -c 'exit 5'
	is "$mode: no timeout, no 124" "$status" 5
	run "${sbx[@]}" --timeout 1.5 -- sh -c 'trap "exit 3" TERM; while :; do sleep 0.02; done'
	is "$mode: also when the command ends when asked" "$status" 124
	run "${sbx[@]}" --timeout 0.3 -- sh -c 'kill -STOP $$; echo continued'
	is "$mode: a stopped command does not escape it" "$status" 124
	run "${sbx[@]}" --json --timeout 0.3 -- sh -c 'echo before; sleep 4724.25'
	is "$mode: said in the result" "$(jq -c '[.result.timed_out, .result.exit_code,
		.result.stdout]' <<<"$out")" '[true,124,"before\n"]'
	ok "$mode: and gone" not_running 4724.25
done

# What was ours before the command is not the command's.
run bash -c 'sleep 4725.25 & echo $!; exec "$@"' -- "$SBX/sbx-run" -s danger-full-access -a never \
	--timeout 0.2 -- sleep 4726.25
is "timeout of a program that took over a shell" "$status" 124
ok "the shell's own child is left alone" running 4725.25
ok "the command is gone" not_running 4726.25
kill "$out"
finish
