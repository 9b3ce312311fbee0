#!/bin/bash
# sbx-approve --inbox: the open questions of a session and its subagents in a terminal
# of its own.  The first answer counts, leaving answers nothing, and who may not talk
# to the session sees and answers nothing.
. "${0%/*}/lib/lib.sh"
slow
. "$TESTS/lib/documents.sh"
. "$TESTS/lib/approver.sh"
. "$TESTS/lib/inbox.sh"

at_inbox "$start"'; ask a; see $one "1. exec:make test"; type $one 1; see $one "may this run.*abort"; type $one y; finished said.a
	see $one "yes, once .user.*leave"; type $one \003; see $one "1049l"'
is "a question appears, is looked at and answered" "$status $(said a)" "0 approved user"
like "it is the whole question" "$screen" "reason   the command is not known to be safe"
like "... with the keys of a session" "$screen" '\[a\] the same, for the session'
for key in a:approved_for_session n:denied q:abort; do
	at_inbox "$start; ask a; see \$one {1. exec:}; type \$one 1; see \$one {abort}; type \$one ${key%%:*}; finished said.a"
	is "key ${key%%:*}" "$status $(said a)" "0 ${key#*:} user"
done
at_inbox "$start; ask a $scratch/denied; see \$one {1. exec:}; type \$one 1; see \$one {just this.*write /srv/data.*abort}; type \$one y; finished said.a"
is "a denial is asked about as at any terminal" "$status $(said a)" "0 approved user"
at_inbox "$start; set other [spawn -noecho sh -c {$approve <$scratch/doc}]; set two \$spawn_id; see \$two {waiting for an answer: the session asks.*--inbox open}
	type \$one 1; see \$one abort; type \$one n; see \$two denied"
is "the terminal of who asks says where the answer is waited for" "$status" 0

# Leaving, waiting too long, asking where nobody sits: the ordinary ways.
at_inbox "$start"'; ask a; see $one "1. exec:"; type $one \003; finished said.a'
is "^C leaves it unanswered: nobody is there to ask" "$status $(said a)" "0 denied none"
at_inbox "$start"'; ask a; see $one "1. exec:"; type $one 1; see $one abort; type $one \003; finished said.a'
is "... also from the question itself" "$status $(said a)" "0 denied none"
at_inbox "$start"'; ask a; see $one "1. exec:"; type $one 1; see $one abort; type $one l; see $one "waiting.*leave"; type $one 1; see $one abort; type $one n; finished said.a'
is "l goes back to the list" "$status $(said a)" "0 denied user"
at_inbox "$start"'; ask a; see $one "1. exec:"; exec kill -KILL [exp_pid -i $one]; finished said.a'
is "an inbox that is killed" "$status $(said a)" "0 denied none"
at_inbox "$start"'; ask a; see $one "1. exec:"; finished said.a' --approver-timeout 300ms
is "one that nobody looks at is held no longer than an approver may take" "$status $(said a)" "0 denied none"

# Beside an approver, and in a session below: the first answer counts.
printf '#!/bin/sh\necho $$ >%s/asking; exec sleep 600\n' "$scratch" >"$scratch/endless"
chmod 755 "$scratch/endless"
at_inbox "$start"'; ask a; see $one "1. exec:"; finished asking; type $one 1; see $one abort; type $one y; finished said.a' --approver "$scratch/endless"
is "before the approver answers" "$status $(said a)" "0 approved user"
asking_ended() { ! kill -0 "$(cat "$scratch/asking")" 2>/dev/null; }
ok "... which is not asked any more" eventually 10 asking_ended
cat >"$scratch/slow" <<END
#!/bin/sh
cat >/dev/null; while [ ! -e $scratch/go ]; do sleep 0.05; done; echo '{"decision":"approved"}'
END
chmod 755 "$scratch/slow"
sed "s#/go #/go2 #" "$scratch/slow" >"$scratch/slow2" && chmod 755 "$scratch/slow2"
at_inbox "$start"'; ask a; see $one "1. exec:"; type $one 1; see $one abort; close [open '"$scratch"'/go w]; see $one "no longer open"; finished said.a; type $one \003' --approver "$scratch/slow"
is "after it has answered the question is gone from the screen" "$status $(said a)" "0 approved approver"
at_inbox "$start; exec $approve --serve --parent \$env(SBX_SESSION) --source subagent:review -- sh $scratch/ask a &
	see \$one {1. exec:.*by subagent:review}; type \$one 1; see \$one {source   subagent:review.*abort}; type \$one y; finished said.a"
is "a subagent's question comes to the inbox above" "$status $(said a)" "0 approved parent"
at_inbox "$start"'; set asker [ask a]; see $one "1. exec:"; exec sh -c "kill -KILL \$(pgrep -g [lindex $asker 0] -x sbx-approve) \$(pgrep -P [lindex $asker 0]) 2>/dev/null; true"; see $one "nothing: a question"; type $one \003'
is "who asks is killed: its question is gone" "$status" 0

# Two at once.
two="$start; set two [inbox]; see \$two {nothing: a question}"
at_inbox "$two"'; ask a; see $one "1. exec:"; see $two "1. exec:"; type $one 1; see $one abort; type $two 1; see $two abort; type $one n
	see $two "no longer open"; finished said.a; see $one " no .user"'
is "two inboxes: the first answer counts, the other sees it" "$status $(said a)" "0 denied user"
at_inbox "$two"'; ask a; see $one "1. exec:"; type $one \003; see $one 1049l; see $two "1. exec:"; type $two 1; see $two abort; type $two y; finished said.a'
is "one leaves, the other still has it" "$status $(said a)" "0 approved user"

# What was given: listed, in all inboxes, and revoked.
at_inbox "$start; ask a $scratch/denied; see \$one {1. exec:}; type \$one 1; see \$one {abort}; type \$one a; finished said.a
	see \$one {given until the session ends.*exec:make test.*write /srv/data}; type \$one g; see \$one {revoked.*1. exec}; type \$one 1
	see \$one {given    exec:make test.*cwd .*write /srv/data.*back}; type \$one y; see \$one {revoked; a command}
	exec $approve --list >$scratch/listed; ask b; see \$one {1. exec:}; type \$one \003; finished said.b"
is "g shows what was given, and revokes it" "$status $(said a) $(wc -l <"$scratch/listed") $(said b)" "0 approved_for_session user 0 denied none"

# What is saved from here is saved as at the terminal of the command: shown, then in the
# files of whoever sits at the inbox.
rules=$CODEX_HOME/rules/learned.rules
at_inbox "$start; ask a; see \$one {1. exec:}; type \$one 1; see \$one abort; type \$one r; see \$one {prefix_rule.*learned.rules.*back}; type \$one y; finished said.a
	ask b; finished said.b"
is "r, y: a rule, and the next one is not asked" "$status $(said a) $(said b)" "0 approved user approved rule"
is "... of this project, in the sandbox" "$(cat "$rules")" \
	"prefix_rule(pattern=[\"make\", \"test\"], decision=\"allow\", where=\"sandbox\", rest=\"none\", project=\"$ws\")"
rm -r "${rules%/*}"
at_inbox "$start; ask a; see \$one {1. exec:}; type \$one 1; see \$one abort; type \$one r; see \$one back; type \$one e; see \$one back; type \$one d; see \$one back; type \$one n
	see \$one {yes, once.*abort}; type \$one n; finished said.a"
is "r, e, d, n: back at the question, nothing saved" "$status $(said a) $(ls "$CODEX_HOME")" "0 denied user "
at_inbox "$start; ask a; see \$one {1. exec:}; type \$one 1; see \$one abort; type \$one r; see \$one back; type \$one \003; see \$one abort; type \$one \003; finished said.a"
is "r, ^C: back, and ^C again leaves it unanswered" "$status $(said a)" "0 denied none"
at_inbox "$start"'; ask a; see $one "1. exec:"; type $one 1; see $one abort; type $one r; see $one back; close [open '"$scratch"'/go2 w]; see $one "no longer open"; finished said.a; type $one \003' --approver "$scratch/slow2"
is "answered elsewhere while a rule is looked at: gone, nothing saved" "$status $(said a) $(ls "$CODEX_HOME")" "0 approved approver "
mkdir -p "$scratch/data"
jq -c --arg p "$scratch/data" '.policy.workspace = .command.cwd | .policy.approval_policy = "on-request" | .result = {denied: true, denials: [{op: "create", path: ($p + "/x"),
	syscall: "openat", grant: {write: [$p]}}]}' "$scratch/doc" >"$scratch/wants"
at_inbox "$start; ask a $scratch/wants; see \$one {1. exec:}; type \$one 1; see \$one {give it to the project.*abort}; type \$one r
	see \$one {write +$scratch/data.*undo +sbx-policy --forget.*back}; type \$one y; finished said.a"
is "r, y: a grant for the project" "$status $(said a)" "0 approved user"
run "$SBX/sbx-policy" -s workspace-write -C "$ws" --check-path write "$scratch/data/x"
like "... every run of the project has it" "$status $out" '^0 .*"allowed":true'
at_inbox "$start; ask a $scratch/denied; see \$one {1. exec:}; type \$one 1; see \$one {just this.*abort}; type \$one n; finished said.a"
unlike "it is not offered where nobody knows of which project" "$screen" 'give it to the project'
run "$SBX/sbx-policy" --forget --add-dir "$scratch/data" -- "$ws"
run "$SBX/sbx-policy" -s workspace-write -C "$ws" --check-path write "$scratch/data/x"
is "... until it is undone with what stood there" "$status" 1
jq -c '.policy.permissions.network = "hosts" | .result = {waiting: {host: "registry.example", port: 443, program: "/usr/bin/curl"}}' "$scratch/doc" >"$scratch/host"
at_inbox "$start; ask a $scratch/host; see \$one {1. }; type \$one 1; see \$one {registry.example:443.*end the command}; type \$one p; see \$one {network_rule.*back}; type \$one y; finished said.a"
is "p: a host for the project" "$status $(said a) $(grep -c 'network_rule.*registry.example' "$rules")" "0 approved user 1"
rm -r "${rules%/*}"

# Details: all of what the list cut short, and what the keys do.
jq -c '.command.argv = ["make", ([range(900) | "word\(.)"] | join(" "))]' "$scratch/doc" >"$scratch/much"
at_inbox "$start; ask a $scratch/much; see \$one {1. exec:make.*bytes are NOT shown here}; type \$one 1; see \$one {NOT shown here: v shows them.*all of it.*abort}
	type \$one v; see \$one {word450 .*word899.*abort}; type \$one ?; see \$one {goes back to the list.*abort}; type \$one n; finished said.a"
is "v shows all of it, ? what the keys do" "$status $(said a)" "0 denied user"
at_inbox "$start; ask a; see \$one {1. exec:}; foreach key {0 2 9 g y x \\033\\[A} { type \$one \$key; after 50 }; type \$one 1; see \$one {may this run.*abort}
	foreach key {O w h o 1} { type \$one \$key; see \$one abort }; type \$one n; finished said.a"
is "keys that are not offered do nothing" "$status $(said a)" "0 denied user"
at_inbox "$start; ask a; see \$one {1. exec:}; type \$one 1; see \$one abort; type \$one yn; type \$one {}; see \$one {one key}; type \$one n; finished said.a"
is "two keys at once are none" "$status $(said a)" "0 denied user"

# Revoking: back without it; more than nine have a second page, and the numbers are its own.
at_inbox "$start; ask a $scratch/denied; see \$one {1. exec:}; type \$one 1; see \$one abort; type \$one a; finished said.a; see \$one given; type \$one g; see \$one {revoked.*back}
	type \$one 1; see \$one {asked again.*back}; type \$one n; see \$one {given until.*leave}; exec $approve --list >$scratch/listed"
is "g, 1, n: it stays given" "$status $(wc -l <"$scratch/listed")" "0 1"
for i in 01 02 03 04 05 06 07 08 09 10 11; do jq -c --arg i "$i" '.command.argv = ["make", "goal" + $i]' "$scratch/doc" >"$scratch/goal$i"; done
at_inbox "$start; foreach i {01 02 03 04 05 06 07 08 09 10 11} { ask \$i $scratch/goal\$i; see \$one \"exec:make goal\$i\"; type \$one 1; see \$one abort; type \$one a; finished said.\$i; see \$one \"waiting.*nothing\" }
	type \$one g; see \$one {1. exec:make goal11.*m. more}; type \$one m; see \$one {1. exec:make goal02.*2. exec:make goal01}; type \$one 2; see \$one {given +exec:make goal01}; type \$one y; see \$one revoked
	exec $approve --list >$scratch/listed"
is "the second of the second page is the one that goes" "$status $(grep -c 'goal01"' "$scratch/listed") $(wc -l <"$scratch/listed")" "0 0 10"

# Two sessions: each inbox has the questions of its own.
cat >"$scratch/other" <<END
#!/bin/sh
echo "\$SBX_SESSION" >$scratch/session.new; mv $scratch/session.new $scratch/session
while [ ! -e $scratch/ask-other ]; do sleep 0.05; done; sh $scratch/ask b; : >$scratch/other-done
while [ ! -e $scratch/end-other ]; do sleep 0.05; done
END
rm -f "$scratch/session" "$scratch"/*-other
at_inbox "$start; exec $approve --serve -- sh $scratch/other &; finished session
	set mine \$env(SBX_SESSION); set env(SBX_SESSION) [string trim [exec cat $scratch/session]]; set two [inbox]; see \$two {nothing: a question}; set env(SBX_SESSION) \$mine
	ask a; see \$one {1. exec:}; close [open $scratch/ask-other w]; see \$two {1. exec:}
	type \$two 1; see \$two abort; type \$two y; finished said.b; exec $approve --list
	type \$one 1; see \$one abort; type \$one n; finished said.a; close [open $scratch/end-other w]; see \$two {session has ended}"
is "two sessions: an answer in one is none in the other" "$status $(said a) $(said b)" "0 denied user approved user"

# Narrow: nothing is wider than it, and the keys are all there.
at_inbox 'set stty_init "rows 40 columns 24"; set one [inbox]; see $one leave; ask a; see $one "1. exec:"; type $one 1; see $one "once.*list.*abort"; type $one y; finished said.a; see $one leave'
is "24 columns" "$status $(said a)" "0 approved user"
is "... no row of it is wider" "$(sed -n '/may this run/,/abort/p' <<<"$screen" | awk 'length > 24')" ""

# Widths, and a terminal without colours.
at_inbox 'proc size {columns} { global one; exec stty rows 30 columns $columns <[exp_tty_name]; }
	proc exp_tty_name {} { global spawn_out; return $spawn_out(slave,name) }
	'"$start"'; ask a; see $one "1. exec:"; size 40; see $one "1. exec:.*leave"; type $one 1; see $one abort
	size 120; see $one "may this run.*abort"; size 60; see $one "may this run.*abort"; type $one y; finished said.a'
is "its size changes, at the list and at a question" "$status $(said a)" "0 approved user"
NO_COLOR=1 TERM=dumb at_inbox "$start"'; ask a; see $one "1. exec:"; type $one 1; see $one abort; type $one y; finished said.a; see $one "yes, once"'
is "a terminal that can do nothing" "$status $(said a)" "0 approved user"
unlike "... gets nothing but text after it was set right" "$(sed '1,/nothing: a question/d' <<<"$out")" $'\x1b'

# Who may not talk to the session.
if have USERNS; then
	cat >"$scratch/inside.py" <<'END'
import json, os, socket, sys
def talk(message):
    try:
        s = socket.socket(socket.AF_UNIX); s.settimeout(10); s.connect(sys.argv[1])
        s.sendall(json.dumps(message).encode() + b"\n")
        return s.recv(100000).decode()
    except OSError:
        return ""
for message in [{"op": "inbox"}, {"op": "overview"}, {"op": "look", "id": 1}, {"op": "answer", "id": 1, "answer": {"decision": "approved"}}]:
    print("REACHED" if talk(message) else "refused", end=" ")
END
	at_inbox "$start"'; ask a; see $one "1. exec:"; puts "INSIDE [exec unshare -U /usr/bin/python3 '"$scratch"'/inside.py $env(SBX_SESSION)]"
		puts "OUTSIDE [exec /usr/bin/python3 '"$scratch"'/inside.py $env(SBX_SESSION)]"; finished said.a'
	like "another user namespace sees and answers nothing" "$screen" 'INSIDE refused refused refused refused'
	like "control: from outside all of them are answered" "$screen" 'OUTSIDE REACHED REACHED REACHED REACHED'
	is "control: ... and that was an answer" "$(said a)" "approved user"
fi
finish
