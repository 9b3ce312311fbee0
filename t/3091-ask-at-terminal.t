#!/bin/bash
# The question about a host, at the terminal that the command has as well: it waits,
# stands still, and goes on as if nothing had been.
zone='a.example A 192.0.2.10
b.example A 192.0.2.11'
. "${0%/*}/lib/internet.sh"
. "${0%/*}/lib/lib.sh"
need USERNS
need PROGRAM expect
export HOME=$scratch/home CODEX_HOME=$scratch/codex TERM=dumb PS1='ready> '
mkdir -p "$HOME" "$CODEX_HOME"
chmod 755 "$ws"
cd "$ws" || exit 1

# at_terminal SCRIPT COMMAND...: in the sandbox, in a pseudo-terminal; SCRIPT is
# expect's, from the question on.  Sets $status and $screen.
at_terminal() {
	local script=$1
	shift
	: >"$internet/log"
	rm -f "$scratch/audit"
	printf '%s\0' "$@" >"$scratch/words"
	cat >"$scratch/run" <<END
mapfile -d "" -t words <$scratch/words
echo \$\$ >$scratch/pid
exec $SBX/sbx-run ${more-} --audit $scratch/audit -C $ws -s workspace-write -a on-request --allow-host a.example:80 -- "\${words[@]}"
END
	cat >"$scratch/drive" <<END
set timeout 20
spawn -noecho bash --norc --noprofile -i
expect -re {ready> \$}
send "bash $scratch/run\r"
$script
expect -re {ready> \$}
send "echo status=\\\$?\r"
expect {
	-re {status=([0-9]+)} { puts "\nENDED \$expect_out(1,string)" }
	timeout { puts "\nENDED timeout" }
	eof { puts "\nENDED eof" }
}
END
	expect "$scratch/drive" >"$scratch/screen" 2>&1
	screen=$(tr -d '\r' <"$scratch/screen" | sed -z 's/\n *| //g')
	status=$(sed -n 's/^ENDED //p' <<<"$screen")
	ran="expect: $*"
	cp "$scratch/screen" "$scratch/.out"
	: >"$scratch/.err"
}
asked='expect "end the command"'
reached() { grep -c '^reached 192.0.2.11' "$internet/log"; }

at_terminal "$asked; send y" curl -sS -m 20 http://b.example/x
is "y: the connection that waited goes on" "$status $(grep -c '^b.example at 192.0.2.11 /x' <<<"$screen") $(reached)" "0 1 1"
for shown in 'may this connect\?' 'host +b.example:80' 'program +/.*curl' 'command +curl -sS -m 20 http://b.example/x' '\[p\] for the project'; do
	like "shown: $shown" "$screen" "$shown"
done
unlike "nothing leaves the sandbox" "$screen" 'OUTSIDE'
is "it is in the audit" "$(jq -c '[.result.questions[] | [.decision, .by]]' "$scratch/audit")" '[["approved","user"]]'
at_terminal "$asked; send n" sh -c 'curl -sS -m 20 http://b.example/x; echo went on'
is "n: refused, and the command goes on" "$status $(grep -c '^went on' <<<"$screen") $(reached)" "0 1 0"
like "... and the line says just that" "$screen" '^sbx-run: b.example:80 is not reached: you said no$'
at_terminal "$asked; send \\003" sh -c 'curl -sS -m 20 http://b.example/x; echo went on'
is "^C ends the command" "$status $(grep -c '^went on' <<<"$screen") $(reached)" "130 0 0"
at_terminal "$asked; send q" sh -c 'curl -sS -m 20 http://b.example/x; echo went on'
is "q ends the command" "$status $(grep -c '^went on' <<<"$screen") $(reached)" "130 0 0"
like "... which is said, and not that it did not run" "$screen" '^sbx-run: b.example:80 is not reached, and the command is ended: you said no$'
at_terminal "$asked; send ?; $asked; send x; sleep 0.3; send n" curl -s -m 20 http://b.example/x
is "? and other keys are no answer" "$status $(grep -c 'saves a rule in your own' <<<"$screen") $(reached)" "7 1 0"
at_terminal "$asked; send p; expect back; send y" curl -sS -m 20 http://b.example/x
is "p: for the project" "$status $(reached) $(cat "$CODEX_HOME/rules/learned.rules")" \
	"0 1 network_rule(host=\"b.example\", port=\"80\", decision=\"allow\", project=\"$ws\")"
like "... shown before" "$screen" 'rule +network_rule\(host="b.example".*project='
at_terminal '' curl -sS -m 20 http://b.example/x
is "... and not asked again" "$status $(reached)" "0 1"
rm "$CODEX_HOME/rules/learned.rules"
at_terminal "$asked; send y; sleep 0.2; send \"hello\\r\"" bash -c 'exec 3<>/dev/tcp/b.example/7; read -r line; echo "got $line" >&3; read -r line <&3; echo "echoed $line"'
is "the terminal is the command's again" "$status $(grep -c '^echoed got hello' <<<"$screen")" "0 1"
at_terminal "$asked; exec pkill -9 -P [exec cat $scratch/pid] sbx-approve" curl -sS -m 20 http://b.example/x
is "a question that is killed leaves a terminal that shows what is typed" "$status $(grep -c 'echo status=' <<<"$screen") $(reached)" "7 1 0"
more='--timeout 3s' at_terminal "$asked" sh -c 'curl -sS -m 20 http://b.example/x; echo went on'
is "a time limit ends the question with the command" "$status $(grep -c '^went on' <<<"$screen") $(reached)" "124 0 0"
at_terminal "$asked; exec kill -TERM [exec cat $scratch/pid]" sh -c 'curl -sS -m 20 http://b.example/x; echo went on'
is "so does a signal to end" "$status $(grep -c '^went on' <<<"$screen") $(reached)" "143 0 0"
at_terminal "$asked; send y; $asked; send n" sh -c 'curl -sS -m 20 http://b.example/x; curl -sS -m 20 telnet://b.example:7; echo went on'
is "one after the other" "$status $(grep -c 'may this connect' <<<"$screen") $(reached)" "0 2 1"

# A process that runs while the question is open could have drawn another.
cat >"$ws/timer" <<'END'
import ctypes, os, signal, socket, sys, time
libc = ctypes.CDLL(None, use_errno=True)
class Event(ctypes.Structure):
    _fields_ = [("value", ctypes.c_void_p), ("number", ctypes.c_int), ("how", ctypes.c_int), ("rest", ctypes.c_char * 48)]
class Span(ctypes.Structure):
    _fields_ = [("every", ctypes.c_long), ("every_ns", ctypes.c_long), ("first", ctypes.c_long), ("first_ns", ctypes.c_long)]
ready, begun = os.pipe()
if os.fork() == 0:
    timer = ctypes.c_void_p()
    if sys.argv[1] == "continued":
        # What is ignored ends a timer after the first time: Linux 6.13.
        signal.signal(signal.SIGCONT, lambda *_: None)
        libc.timer_create(1, ctypes.byref(Event(None, signal.SIGCONT, 0)), ctypes.byref(timer))
        libc.timer_settime(timer, 0, ctypes.byref(Span(0, 100000000, 0, 100000000)), None)
    os.write(begun, b"x")
    before = time.monotonic()
    while True:
        time.sleep(0.01)
        if time.monotonic() - before > 0.4:
            open("ran", "w").close()
        before = time.monotonic()
os.read(ready, 1)
try:
    print("connected", socket.create_connection(("b.example", 7), 20).getpeername()[1])
except OSError as e:
    print("refused", e.errno)
END
for how in plain continued; do
	rm -f "$ws/ran"
	at_terminal "$asked; sleep 1.5; send y" /usr/bin/python3 "$ws/timer" $how
	case $how in
	plain) is "a process beside it stands still" "$status $(grep -c '^connected 7' <<<"$screen") $(reached) $(ls "$ws/ran")" "0 1 1 $ws/ran" ;;
	*)
		is "one that continues itself is noticed, and the answer does not count" "$status $(grep -c '^refused 13' <<<"$screen") $(reached)" "0 1 0"
		like "... which is said" "$screen" 'ran while a question was open: the answer does not count'
		;;
	esac
done

# Jobs that a shell inside has stopped stay so.
at_terminal "$asked; send y" bash -c 'sleep 100 & kill -STOP $!; until grep -q "^State:.T" /proc/$!/status; do :; done
	exec 3<>/dev/tcp/b.example/7; grep ^State /proc/$!/status; kill -KILL $!'
like "what was stopped before stays stopped" "$screen" 'State:.T'

# Clients that people use.
if command -v git >/dev/null; then
	at_terminal "$asked; send n" git ls-remote http://b.example/x.git
	is "git waits, and is refused" "$status $(reached)" "128 0"
	at_terminal "$asked; send y" git ls-remote http://b.example/x.git
	isnt "git waits, and goes on" "$(reached)" 0
fi
if command -v node >/dev/null; then
	at_terminal "$asked; send y" node -e 'fetch("http://b.example/x").then(r => r.text()).then(t => console.log("node: " + t))'
	is "node waits, and goes on" "$status $(grep -c '^node: b.example at' <<<"$screen") $(reached)" "0 1 1"
	at_terminal "$asked; send n" node -e 'fetch("http://b.example/x").catch(e => { console.log("node: " + e.cause.code); process.exit(3) })'
	is "node waits, and is refused" "$status $(grep -c '^node: E' <<<"$screen") $(reached)" "3 1 0"
fi
if command -v npm >/dev/null; then
	at_terminal "$asked; send y" npm --offline=false --fetch-retries=0 --registry http://b.example/ view x
	isnt "npm waits, and goes on" "$(reached)" 0
	at_terminal "$asked; send \\003" npm --fetch-retries=0 --registry http://b.example/ view x
	is "npm waits, and ^C ends it" "$status $(reached)" "130 0"
fi
finish
