#!/bin/bash
# Nothing inside can type into the user's terminal.
. "${0%/*}/lib/lib.sh"
need PROGRAM python3

# on_terminal COMMAND...: runs it on a terminal of its own; $out is what it
# printed, and what was typed into the terminal for the next reader.
cat >"$scratch/terminal.py" <<'END'
import fcntl, os, pty, select, sys, termios
pid, master = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
text = b""
while True:
    try:
        data = os.read(master, 4096)
    except OSError:
        break
    if not data:
        break
    text += data
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.stdout.write(text.decode(errors="replace").replace("\r\n", "\n"))
print("exit", status)
END
on_terminal() { run python3 "$scratch/terminal.py" "$@"; }

# The byte that was typed is read by the caller's shell after the sandbox has
# ended; that it then finds none is the proof.
reader='stty -icanon min 0 time 1; "$@"; echo; printf "typed:%s:\n" "$(dd bs=1 count=1 2>/dev/null)"'
after() { on_terminal sh -c "$reader" - "$@"; }

legacy=$(cat /proc/sys/dev/tty/legacy_tiocsti 2>/dev/null || echo 1)
after "$TRY" tiocsti low 0
if [ "$legacy" != 0 ] || have ROOT; then
	like "control: TIOCSTI types without the sandbox" "$out" 'typed:Q:'
else
	note "no control: this kernel has no TIOCSTI for ordinary users"
fi
for network in off on; do
	set_box --network "$network"
	after "${box[@]}" true
	like "control: a run without the attack types nothing" "$out" 'typed::'
	for bits in low high; do
		for fd in 0 1 2 /dev/tty; do
			after "${box[@]}" "$TRY" tiocsti "$bits" "$fd"
			like "$network: TIOCSTI $bits on $fd fails" "$out" 'tiocsti E'
			like "$network: TIOCSTI $bits on $fd types nothing" "$out" 'typed::'
			after "${box[@]}" "$TRY" tioclinux "$bits" "$fd"
			like "$network: TIOCLINUX $bits on $fd is refused by the filter" "$out" 'tioclinux E(PERM|ACCES|IO)'
		done
	done
done

# And the terminal is still one.
on_terminal "${box[@]}" sh -c 'test -t 0 && test -t 1 && echo "a terminal"; stty size >/dev/null && echo "a size"; : >/dev/tty && echo "dev tty"'
like "standard input is a terminal inside" "$out" '^a terminal'
like "its size can be read" "$out" '^a size'
like "/dev/tty can be opened" "$out" '^dev tty'
# Output that a program stops is continued by no key.
stop='import termios; termios.tcflow(1, termios.TCOOFF)'
said='"$@"; echo said'
on_terminal timeout --foreground 2 sh -c "$said" - python3 -c "$stop"
unlike "control: a program stops the output of all" "$out" said
set_box
on_terminal timeout --foreground 20 sh -c "$said" - "${box[@]}" python3 -c "$stop"
like "the output goes on behind a command that stopped it" "$out" said
finish
