#!/bin/bash
# A signal to sbx-run reaches the command, which decides; what the caller
# ignored stays ignored; the death of sbx-run is the command's death.
. "${0%/*}/lib/lib.sh"

# begin COMMAND...: in the background, $pid; waits until the command said ready
begin() {
	: >"$scratch/out"
	ran=$(quoted "$@")
	"$@" >"$scratch/out" 2>"$scratch/err" &
	pid=$!
	kill_later "$pid"
	eventually 10 grep -q ready "$scratch/out" || fail "control: the command is ready" "$ran" \
		"$(cat "$scratch/err")"
}

# A background job of a script has SIGINT and SIGQUIT ignored: undo that.
plain=(env --default-signal=INT --default-signal=QUIT)

for mode in danger-full-access workspace-write; do
	sbx=("${plain[@]}" "$SBX/sbx-run" -s "$mode" -a never -C "$ws")
	for signal in HUP INT QUIT TERM USR1 USR2; do
		begin "${sbx[@]}" -- bash -c "trap 'echo got $signal; exit 33' $signal
			echo ready; while :; do sleep 0.05; done"
		kill -"$signal" "$pid"
		wait "$pid"
		is "$mode: $signal is handled by the command" "$?" 33
		is "$mode: once" "$(grep -c "got $signal" "$scratch/out")" 1
	done
	begin "${sbx[@]}" -- sh -c 'echo ready; exec sleep 4711.5'
	kill -TERM "$pid"
	wait "$pid"
	is "$mode: a command that does not care dies of it" "$?" 143
	ok "$mode: and is gone" eventually 5 not_running 4711.5

	# nohup and background jobs: ignored means ignored.
	begin env --ignore-signal=HUP "${sbx[@]}" -- sh -c \
		'grep SigIgn /proc/self/status; echo ready; sleep 0.4; echo survived'
	kill -HUP "$pid"
	wait "$pid"
	is "$mode: an ignored SIGHUP stays ignored" "$? $(tail -n 1 "$scratch/out")" "0 survived"

	# The whole state of signals is that of a command without sbx-run.
	state=(grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status)
	for start in "" --ignore-signal=PIPE,TTOU --ignore-signal=INT,QUIT,CONT,TSTP \
		--block-signal=USR1,TERM; do
		with=(env ${start:+"$start"})
		"${with[@]}" "${state[@]}" >"$scratch/bare"
		"${with[@]}" "$SBX/sbx-run" -s "$mode" -a never -C "$ws" -- "${state[@]}" >"$scratch/under"
		ok "$mode: signals as the caller left them: ${start:-default}" \
			diff "$scratch/bare" "$scratch/under"
	done

	# What ignores its children cannot wait for them: still the right code.
	run env --ignore-signal=CHLD timeout 60 "$SBX/sbx-run" -s "$mode" -a never -C "$ws" -- sh -c 'exit 6'
	is "$mode: SIGCHLD ignored by the caller" "$status" 6

	# Death of the supervisor.
	begin "${sbx[@]}" -- bash -c 'echo ready; exec sleep 4712.5'
	ok "$mode: control: the command runs" running 4712.5
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	ok "$mode: SIGKILL of sbx-run ends the command" eventually 2 not_running 4712.5

	# A group of its own: kill(0) stays below.
	run "${plain[@]}" bash -c 'trap "echo reached >&2" TERM
		"$@"; echo "code $?"' -- "${sbx[@]}" -- sh -c 'kill -TERM 0; sleep 5'
	is "$mode: kill(0) does not reach the caller" "$out|$err" "code 143|"
done
begin "${plain[@]}" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- bash -c \
	'sleep 4713.5 & setsid sleep 4714.5 & echo ready; wait'
ok "control: two more run in the sandbox" running 4714.5
kill -KILL "$pid"
wait "$pid" 2>/dev/null
ok "SIGKILL of sbx-run ends all of a sandbox" eventually 2 not_running 4714.5
ok "and its other process" not_running 4713.5
finish
