#!/bin/bash
# --log-denials: what the system log says of the command's own processes is
# reported, and what it says of others is not.  The log is a script here; the
# parser and the filter of processes have their own tests.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/seatbelt.sh"
anyone
watch=$HELPER/watch-log

# A log that says what was denied to the processes whose ids it finds.
log() { # NAME, body on stdin
	cat - >"$scratch/body"
	cat >"$scratch/$1" <<END
#!/bin/bash
PATH=/usr/bin:/bin
cd '$scratch'
printf '%s\n' "\$@" >log.args
env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= -e ^PATH= -e ^OLDPWD= >log.env
echo \$\$ >log.pid
said() { '$HELPER/jq' -cn --arg m "\$1" '{eventMessage: \$m, processID: 0}'; }
$(cat "$scratch/body")
END
	chmod +x "$scratch/$1"
}
log log <<'END'
echo 'Filtering the log data using "..."'
until [ -s child ] && [ -s parent ]; do sleep 0.02; done
said "Sandbox: sh($(cat parent)) deny(1) file-write-create /private/etc/x"
said "Sandbox: sh($(cat child)) deny(1) file-read-data /secret"
said "2 duplicate reports for Sandbox: sh($(cat child)) deny(1) file-read-data /secret"
said "Sandbox: sh(1) deny(1) file-read-data /not-ours"
said "something else"
: >logged
sleep 60
END
# It goes on until all of that has been said.
command='echo $$ >parent; sh -c "echo \$\$ >child; until [ -e logged ]; do sleep 0.02; done"; exit 3'

cd "$scratch" || exit
run "$watch" "$scratch/log" - /bin/sh -c "$command"
is "the command's own exit status" "$status" 3
is "its denials, for a person" "$(sed 's/([0-9]*)/(N)/' "$scratch/.err")" \
	'watch-log: denied: sh(N): file-write-create /private/etc/x
watch-log: denied: sh(N): file-read-data /secret'
is "the log is asked for what the sandbox writes" "$(cat log.args)" 'stream
--style
ndjson
--predicate
((processID == 0) AND (senderImagePath CONTAINS "/Sandbox")) OR (subsystem == "com.apple.sandbox.reporting")'
is "... in no environment of the command's" "$(cat log.env)" ""
not_alive() { ! kill -0 "$(cat "$scratch/log.pid")" 2>/dev/null; }
ok "... and has ended" eventually 5 not_alive

rm -f child parent logged
run "$watch" "$scratch/log" 9 /bin/sh -c "$command" 9>"$scratch/report"
is "events, for a supervisor" "$(jq -r '.event' "$scratch/report" | tr '\n' ' ')" "started denial denial exit "
is "... a denial as in result.denials" \
	"$(jq -c 'select(.event == "denial") | [.op, .path, .program, .operation, .count, .allow_with]' "$scratch/report")" \
	'["write","/private/etc/x","sh","file-write-create",1,"--add-dir /private/etc"]
["read","/secret","sh","file-read-data",3,null]'
is "... the end" "$(jq -c 'select(.event == "exit") | .code' "$scratch/report")" 3
is "... and nothing on stderr" "$err" ""

rm -f child parent logged
run "$watch" "$scratch/log" 9 /bin/sh -c 'echo $$ >parent; cp parent child; kill -TERM $$' 9>"$scratch/report"
is "a signal" "$status $(jq -c 'select(.event == "exit") | .signal' "$scratch/report")" "143 15"

# ---- a log that does not work ------------------------------------------------------
run "$watch" "$scratch/missing" 9 /bin/sh -c 'exit 5' 9>"$scratch/report"
is "without a log the command runs" "$status" 5
is "... and that is said" "$(jq -r 'select(.event == "lost") | .guarantee' "$scratch/report")" "denials observed"
log ends <<<'exit 1'
run "$watch" "$scratch/ends" - /bin/sh -c 'exit 5'
is "with one that ends, too" "$status" 5
log floods <<'END'
while :; do said "Sandbox: sh(1) deny(1) file-read-data /x$((n += 1))"; head -c 100000 /dev/zero | tr '\0' x; echo; done
END
run timeout 60 "$watch" "$scratch/floods" - /bin/sh -c 'exit 6'
is "with one that floods, too" "$status" 6
run "$watch" "$scratch/log" - sh -c true
is "a command by name is not looked up" "$status" 125
run "$watch" "$scratch/ends" - /nonexistent/x
is "a command that is not there" "$status" 127

# ---- a supervisor that goes away -----------------------------------------------------
log quiet <<<'echo ready; sleep 60'
setsid "$watch" "$scratch/quiet" 9 /bin/sh -c "echo \$\$ >'$scratch/held'; exec sleep 61" \
	9> >(until [ -s "$scratch/held" ]; do sleep 0.05; done) &
kill_later $!
held() { [ -s "$scratch/held" ]; }
gone() { ! kill -0 "$(cat "$scratch/held")" 2>/dev/null; }
ok "control: the command runs" eventually 10 held
ok "its end ends the command" eventually 5 gone

# ---- the wrap and the result -----------------------------------------------------------
doc '.policy.sbx = {log_denials: true}' | wrap
is "asked for, it stands in front" \
	"$(field '[.exec.argv[0], .exec.arg0] + .exec.argv[1:4] | tojson')" \
	"[\"$(realpath "$SBX/sbx-seatbelt")\",\"sbx-seatbelt\",\"--log-denials\",\"--\",\"/usr/bin/sandbox-exec\"]"
doc | stage sbx-seatbelt --log-denials
is "... also by option" "$(field '.exec.argv[1]')" --log-denials
run "$SBX/sbx-seatbelt" --report-fd 9 --log-denials -- relative 9>&-
is "a report to a closed fd" "$status" 2
run "$SBX/sbx-seatbelt" --log-denials -- relative
is "a command needs its path" "$status" 125

# A helper that reports a denial: sbx-run puts it into the result.
cat >"$scratch/helper" <<'END'
#!/bin/bash
fd=$2
echo '{"event":"started"}' >&"$fd"
echo '{"event":"denial","op":"write","path":"/x","program":"touch"}' >&"$fd"
echo '{"event":"exit","code":1}' >&"$fd"
exit 1
END
chmod +x "$scratch/helper"
doc "$selected"' | .sandbox.type = "linux-seccomp" | .exec = {argv: ["'"$scratch/helper"'"], cwd: "/", env: {PATH: "/usr/bin:/bin"}, arg0: null, sandbox: "linux-seccomp", windows_sandbox_level: "disabled"}' >"$scratch/doc"
run "$SBX/sbx-run" --exec --json <"$scratch/doc"
is "a helper's denials are observed ones" \
	"$status $(jq -c '.result | [.denied, .evidence, [.denials[] | {op, path, program}]]' "$scratch/.out")" \
	'1 [true,"observed",[{"op":"write","path":"/x","program":"touch"}]]'
finish
