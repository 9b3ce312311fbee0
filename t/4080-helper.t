#!/bin/bash
# What sbx-run makes of its sandbox helper: only an end that was reported is an
# end, and losing the helper is never success.
. "${0%/*}/lib/lib.sh"

# helper SCRIPT: a program that is told --report-fd N, as $report
helper() {
	{
		echo '#!/bin/bash'
		echo '[ "$1" = --report-fd ] || exit 99'
		echo 'report=$2'
		echo 'say() { echo "$1" >&"$report"; }'
		printf '%s\n' "$1"
	} >"$scratch/fake"
	chmod 755 "$scratch/fake"
	jq -cn --arg helper "$scratch/fake" --arg ws "$ws" '
		{sbx: 1, command: {argv: ["x"], cwd: $ws, timeout_ms: 0}, approval: {decision: "skip"},
		 sandbox: {type: "linux-seccomp", lost: []},
		 exec: {argv: [$helper, "--policy", "{}"], cwd: $ws, env: {PATH: "/usr/bin:/bin"},
			arg0: null, sandbox: "linux-seccomp"}} | '"${2:-.}" >"$scratch/in"
}
supervise() { run "$SBX/sbx-run" --exec "$@" <"$scratch/in"; }

helper 'say "{\"event\":\"started\"}"; say "{\"event\":\"exit\",\"code\":7}"; exit 7'
supervise
is "a code" "$status$err" 7
helper 'say "{\"event\":\"exit\",\"signal\":15}"; exit 143'
supervise
is "a signal" "$status$err" 143
helper 'exit 125'
supervise
is "a failure of its own" "$status" 125
helper 'echo "not found" >&2; exit 127'
supervise
is "127 is passed on" "$status $err" "127 not found"
for end in 'exit 0' 'exit 1' 'kill -KILL $$' 'kill -TERM $$'; do
	helper "say '{\"event\":\"started\"}'; $end"
	supervise
	is "no end reported: $end" "$status $err" "125 sbx-run: the sandbox helper died"
done
helper 'say "{\"event\":\"exit\",\"code\":0}"; kill -KILL $$'
supervise
is "killed after a good report" "$status" 125
helper 'sleep 4731.5 & setsid sleep 4732.5 & kill -KILL $$'
supervise
is "killed with processes below" "$status" 125
ok "they go too" not_running 4731.5
ok "all of them" not_running 4732.5
for junk in '{"event":"exit"}' '{"event":"exit","code":"0"}' '{"event":"exit","code":-1}' \
	'{"event":"exit","code":256}' 'exit' '' '[]' '{"event":{"exit":1}}'; do
	helper "say '$junk'; exit 0"
	supervise
	is "not a report: $junk" "$status" 125
done
helper 'head -c 200000 /dev/zero | tr "\0" x >&"$report"; say ""
	say "{\"event\":\"news\",\"x\":1}"; say "{\"event\":\"exit\",\"code\":3}"; exit 3'
supervise
is "long lines and unknown events are passed over" "$status" 3
helper 'say "{\"event\":\"lost\",\"guarantee\":\"keys\",\"why\":\"old\"}"
	say "{\"event\":\"exit\",\"code\":0}"'
supervise --json
is "what it lost is in the document" "$(jq -c .sandbox.lost <<<"$out")" \
	'[{"guarantee":"keys","why":"old"}]'

# Our end of the socket is the lifeline.
helper 'trap "" TERM; say "{\"event\":\"started\"}"
	read -r x <&"$report"; echo "hung up" >>lines; exit 1' '.command.timeout_ms = 200'
supervise
is "timeout: the helper is hung up on" "$status $(cat "$ws/lines")" "124 hung up"
helper 'trap "" TERM; echo $$ >pid; while :; do sleep 4733.5; done' '.command.timeout_ms = 100'
begin=$(date +%s%N)
supervise
took=$((($(date +%s%N) - begin) / 1000000))
is "timeout: a helper that does not go is killed" "$status" 124
ok "after 2.3 s ($took)" test "$took" -ge 2200 -a "$took" -lt 20000
ok "with what is below it" not_running 4733.5
rm -f "$ws/lines"
helper 'echo $PPID >parent; read -r x <&"$report"; echo "hung up" >>lines'
"$SBX/sbx-run" --exec <"$scratch/in" &
eventually 5 test -s "$ws/parent"
kill -KILL "$(cat "$ws/parent")"
ok "SIGKILL of sbx-run: the helper is hung up on" eventually 5 test -s "$ws/lines"
wait 2>/dev/null

helper 'shift 2; printf "%s " "$@"; say "{\"event\":\"exit\",\"code\":0}"'
exec 8</dev/null 9</dev/null
supervise --keep-fd 8 --keep-fd 9
exec 8<&- 9<&-
is "kept fds are told" "$out" "--keep-fd 8 --keep-fd 9 --policy {} "
finish
