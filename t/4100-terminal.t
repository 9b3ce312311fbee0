#!/bin/bash
# Job control, keys and window size work through sbx-run as without it.
. "${0%/*}/lib/lib.sh"
need PROGRAM expect

cd "$ws" || exit 1

# session NAME <<TCL: what it claims becomes assertions.  A shell with job
# control is spawned; `type` sends a line, `key` a key, `see` claims output.  A
# key goes to whoever has the terminal: `has COMMAND` waits until COMMAND runs,
# and it or who waits for it has the terminal.
session() {
	{
		printf 'set sbx {%s}\nset env(PS1) {ready> }\nset env(TERM) dumb\nset claims [open {%s} w]\n' \
			"${sbx[*]}" "$scratch/claims"
		cat <<-'TCL'
			log_user 0
			set timeout 30
			proc claim {good what} {
				puts $::claims [expr {$good ? "good" : "bad"}]\t$what
				flush $::claims
			}
			proc type {line} { send -- "$line\r" }
			proc key {k} { send -- $k }
			proc has {args} {
				set terminal [string map {/dev/ {}} $::spawn_out(slave,name)]
				for {set i 0} {$i < 200} {incr i} {
					catch { exec ps -t $terminal -o stat=,args= } lines
					set runs [regexp -line "^\[SR]\\S* +$args$" $lines]
					if {$runs && [regexp -line "^\[SR]\\S*\\+ .*$args" $lines]} return
					after 50
				}
				claim 0 "$args has the terminal (timed out)"
			}
			proc see {pattern what} {
				expect {
					-re $pattern { claim 1 $what }
					timeout { claim 0 "$what (timed out)" }
					eof { claim 0 "$what (end of file)" }
				}
			}
			proc shell {} {
				uplevel #0 { spawn -noecho bash --norc --noprofile -i }
				expect -re {ready> $}
			}
		TCL
		cat
	} >"$scratch/session.exp"
	timeout -k 5 120 expect "$scratch/session.exp" >"$scratch/session.err" 2>&1
	local code=$? verdict what
	while IFS=$'\t' read -r verdict what; do
		case $verdict in
		good) pass "$mode: $1: $what" ;;
		bad) fail "$mode: $1: $what" ;;
		*) note "$verdict $what" ;;
		esac
	done <"$scratch/claims"
	is "$mode: $1: the session went to its end" "$code $(cat "$scratch/session.err")" "0 "
}

for mode in danger-full-access workspace-write; do
	sbx=("$SBX/sbx-run" -s "$mode" -a never -C "$ws" --)

	session "an interactive shell" <<'TCL'
eval spawn -noecho $sbx bash --norc --noprofile -i
expect {
	-re {no job control|cannot set terminal} { claim 0 "job control" }
	-re {ready> $} { claim 1 "a prompt without complaint" }
}
type {echo $((40+2))}
see {\n42\r\n.*ready> $} "commands run"
type {stty size </dev/tty >/dev/null && echo tty-works}
see {\ntty-works\r} "/dev/tty works"
type {sleep 4700.75}
has sleep 4700.75
key \003
see {\^C.*ready> $} "^C ends what runs inside, not the shell"
type {echo code=$?}
see {\ncode=130\r} "with its code"
type {sleep 4701.75}
has sleep 4701.75
key \032
see {Stopped.*ready> $} "^Z stops what runs inside"
type {jobs}
see {Stopped.*sleep 4701.75} "it is a job"
type {fg}
see {sleep 4701.75} "fg"
has sleep 4701.75
key \003
see {ready> $} "and ^C"
type {exit 7}
expect eof
claim [expr {[lindex [wait] 3] == 7}] "its code is ours"
TCL

	session "one job of a shell" <<'TCL'
shell
type {stty -a >before}
see {ready> $} "a prompt"
type "$sbx sleep 4702.75"
has sleep 4702.75
key \032
see {Stopped} "^Z stops the job"
see {ready> $} "the shell has the terminal again"
type {jobs}
see {Stopped.*sleep 4702.75} "and knows the job"
type {fg}
see {sleep 4702.75} "fg"
has sleep 4702.75
key \032
see {Stopped.*ready> $} "again ^Z"
type {bg}
see {sleep 4702.75 &} "bg"
type {echo in-between}
see {\nin-between\r} "the shell works meanwhile"
type {fg}
see {sleep 4702.75} "fg of a running job"
has sleep 4702.75
key \003
see {\^C.*ready> $} "^C"
type {echo code=$?}
see {\ncode=130\r} "130"
type "$sbx cat"
has cat
type {typed}
see {typed\r\n.*typed\r\n} "cat reads the terminal"
key \004
see {ready> $} "^D ends it"
type "$sbx bash -c 'trap \"echo caught; exit 9\" INT; echo go; while :; do sleep 0.1; done'"
see {\ngo\r} "a command with a handler"
key \003
see {caught\r\n} "its handler runs on ^C"
type {echo code=$?}
see {\ncode=9\r} "and decides the code"
type "$sbx bash -c 'trap \"\" INT; echo go; read x; echo got=\$x'"
see {\ngo\r} "a command that ignores ^C"
key \003
see {\^C} "it is shown"
type {line}
see {\ngot=line\r} "goes on after it"
type {stty -a >after; cmp before after && echo same}
see {\nsame\r} "terminal modes are as before"
type {rm before after; exit}
expect eof
TCL

	session "background and foreground" <<'TCL'
shell
type "$sbx cat &"
see {ready> } "started in the background"
type {until jobs -s | grep cat; do sleep 0.05; done}
see {Stopped.*ready> $} "it stops when it reads the terminal"
type {fg}
see {cat\r} "fg"
has cat
type {hello}
see {hello\r\n.*hello\r\n} "now it reads"
key \004
see {ready> $} "^D ends it"
type "$sbx sleep 4703.75 &"
see {ready> } "another"
type {kill %%; wait %%; echo code=$?}
see {code=143\r} "kill of the job"
type {exit}
expect eof
TCL

	session "pipelines and scripts" <<'TCL'
shell
type "$sbx sleep 2 | bash -c 'read k </dev/tty; echo key=\$k'"
has bash -c read k .*
type {x}
see {\nkey=x\r} "the other end of a pipe keeps the keyboard"
see {ready> $} "and ends"
type "$sbx sleep 4704.75 | cat"
has sleep 4704.75
key \003
see {\^C.*ready> $} "^C ends a pipeline"
type "echo word | $sbx bash -c 'read a; read b </dev/tty; echo got=\$a=\$b'"
has bash -c read a.*
type {typed}
see {\ngot=word=typed\r} "a command at the end of a pipe may ask the terminal"
see {ready> $} "and ends"
type "bash -c '$sbx cat; echo after=\$?'"
has cat
type {text}
see {text\r\n.*text\r\n} "in a script: cat reads the terminal"
key \004
see {after=0\r} "and the script goes on"
see {ready> $} "to its end"
type "bash -c 'trap \"echo script\" INT; $sbx sleep 4705.75; echo after=\$?'"
has sleep 4705.75
key \003
see {script\r} "in a script: ^C reaches the script"
see {after=130\r} "and the command"
# The shell sees the script stop, and may continue all of it before we have.
for {set i 0} {$i < 12} {incr i} {
	type "bash -c '$sbx sleep 4706.75; echo after=\$?'"
	has sleep 4706.75
	key \032
	see {Stopped.*ready> $} "in a script: ^Z stops all of it"
	type {fg}
	see {sleep 4706.75} "fg"
	has sleep 4706.75
	key \003
	see {ready> $} "^C"
}
type {exit}
expect eof
TCL

	session "window size" <<'TCL'
shell
stty rows 33 columns 77 < $spawn_out(slave,name)
type "$sbx stty size"
see {\n33 77\r} "seen"
type "$sbx bash -c 'trap \"echo new=\$(stty size)\" WINCH; trap \"stty size; exit\" WINCH; echo go; while :; do sleep 0.05; done'"
see {\ngo\r} "a command that waits for a change"
stty rows 44 columns 99 < $spawn_out(slave,name)
see {\n44 99\r} "is told"
type {exit}
expect eof
TCL

	session "no shell above" <<'TCL'
eval spawn -noecho $sbx bash -c {{echo go; sleep 1; echo survived; exit 5}}
see {go\r} "started as the leader of a session"
key \032
see {survived\r} "^Z does not hang it: nobody could continue it"
expect eof
claim [expr {[lindex [wait] 3] == 5}] "its code"
eval spawn -noecho $sbx bash -c {{trap "echo hup >hup; exit" HUP; echo go; while :; do sleep 0.1; done}}
see {go\r} "another"
close
wait
TCL
	ok "$mode: a terminal that goes away hangs up on the command" eventually 5 test -s "$ws/hup"
	rm -f "$ws/hup"
done
for name in 4700.75 4701.75 4702.75 4703.75 4704.75 4705.75 4706.75; do
	ok "nothing is left (sleep $name)" eventually 5 not_running "$name"
done
finish
