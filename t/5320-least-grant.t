#!/bin/bash
# The retry: the denied things are offered first, given alone, once or for the
# session, and that is enough; what must not be opened is not, or is marked.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/denials.sh"
. "${0%/*}/lib/documents.sh"
need_observer
export XDG_RUNTIME_DIR=$scratch/run
mkdir -m 700 "$XDG_RUNTIME_DIR"
mkdir -p "$HOME/.ssh" "$HOME/data"
# The approver gives what the request says is the least, changed by $answer.
cat >"$scratch/approver" <<END
#!/bin/sh
cat >$scratch/request
echo asked >>$scratch/asked
jq -c "\$(cat $scratch/answer)" $scratch/request
END
chmod 755 "$scratch/approver"
answer() { printf '%s\n' "$1" >"$scratch/answer"; }
asked() { if [ -e "$scratch/asked" ]; then wc -l <"$scratch/asked"; else echo 0; fi; }
least='if .grant then {decision: "approved", grant: .grant} else {decision: "denied"} end'
answer "$least"
attempt() {
	rm -f "$scratch/asked" "$scratch/request"
	[ "$1" = --network ] || set -- -- "$@"
	run_sbx --json -s workspace-write -a on-request -C "$ws" --approver "$scratch/approver" "$@"
	seen=$(jq -r '"\(.sandbox.type) \(.result.attempts) \(.result.exit_code)"' <<<"$out")
}
request() { jq -c "$1" "$scratch/request"; }

mkdir "$outside/one" "$outside/two"
attempt touch "$outside/one/x"
is "the denied directory: a second run in the sandbox" "$seen $(ls "$outside/one")" "linux-seccomp 2 0 x"
is "asked about exactly that" "$(request '[.grant, (.denials | map(.path)), .options[0], .outside]')" \
	"[{\"write\":[\"$outside/one\"]},[\"$outside/one/x\"],\"grant\",true]"
attempt sh -c "touch $outside/one/y && touch $outside/two/z"
is "nothing beside it" "$seen $(ls "$outside/two")" "linux-seccomp 2 1 "
attempt sh -c "touch $outside/one/z; touch $outside/two/z; test -e $outside/two/z"
is "several at once" "$seen $(request .grant)" "linux-seccomp 2 0 {\"write\":[\"$outside/one\",\"$outside/two\"]}"
attempt sh -c "touch $outside/one/z; exit 0"
is "a command that copes is no question" "$(asked) $seen" "0 linux-seccomp 1 0"
echo 1 >"$outside/file"
attempt sh -c "echo 2 >$outside/file"
is "a file, alone" "$seen $(request .grant) $(cat "$outside/file")" "linux-seccomp 2 0 {\"write\":[\"$outside/file\"]} 2"
attempt sh -c "echo 3 >$outside/file && touch $outside/beside"
is "... without its neighbours" "$(cat "$outside/file") $(absent "$outside/beside" && echo no)" "3 no"
attempt --network off -- python3 -c 'import socket; socket.socket().bind(("127.0.0.1", 0))'
is "a server of its own: loopback" "$seen $(request .grant)" 'linux-seccomp 2 0 {"network":"loopback"}'
listen "unix-stream:$scratch/sock" "unix-stream:$scratch/other"
connect='import socket,sys
for p in sys.argv[1:]: socket.socket(socket.AF_UNIX).connect(p)'
attempt python3 -c "$connect" "$scratch/sock"
is "a socket" "$seen $(request .grant)" "linux-seccomp 2 0 {\"unix_sockets\":[\"$scratch/sock\"]}"
attempt python3 -c "$connect" "$scratch/sock" "$scratch/other"
is "... and no other" "$seen" "linux-seccomp 2 1"
attempt "$TRY" ptrace
is "what nothing allows is not offered" "$(request '[.grant, .options[0]]')" '[null,"approved"]'
own=("$HOME/.codex/x" "$SBX/x")
! have ROOT || own+=(/sbx-t-none)
for path in "${own[@]}"; do
	attempt touch "$path"
	is "never offered: ${path#"$scratch"}" "$(request .grant) $(absent "$path" && echo no)" "null no"
done

# What grants never open, whoever answers.
for path in "$HOME/.codex" "$HOME/.codex/rules" "$SBX" /; do
	answer "{decision: \"approved\", grant: {write: [\"$path\"]}}"
	attempt touch "$outside/one/new"
	is "an approver cannot give ${path#"$scratch"}" "$(jq -r .result.attempts <<<"$out")" 1
	like "... and it is said" "$err" 'grant: '
done
answer "{decision: \"approved\", grant: {write: [\"$HOME\"]}}"
attempt sh -c "touch $outside/one/new || touch $HOME/given; echo evil >$HOME/.codex/config.toml; test -e $HOME/given"
is "around the configuration: the rest" "$(jq -r .result.attempts <<<"$out") $(ls "$HOME") $(ls "$HOME/.codex")" "2 data
given "
answer "$least"
mkdir -p "$ws/.git/hooks" "$ws/.git/objects" "$ws/.git/refs"
echo 'ref: refs/heads/main' >"$ws/.git/HEAD"
attempt sh -c 'touch .git/index.lock || exit 1; echo evil >.git/hooks/h; echo evil >.git/config; exit 0'
is "a repository: no hooks, no configuration" "$seen $(request .grant) $(ls "$ws/.git/hooks") $(cd "$ws/.git" && echo *)" \
	"linux-seccomp 2 0 {\"write\":[\"$ws/.git\"]}  HEAD hooks index.lock objects refs"
like "... and it is marked" "$(request .sensitive)" "\"$ws/.git\":\"a protected name"
attempt touch "$HOME/.ssh/x"
like "keys are marked" "$(request .sensitive)" "/.ssh\":\"keys and passwords"
attempt mkdir "$HOME/new"
is "a home directory is not offered" "$(request .grant) $(absent "$HOME/new" && echo no)" "null no"

# For the session: for this command, and for no more than was given.
cat >"$scratch/session" <<END
a() { $SBX/sbx-run --json -s workspace-write -a on-request -C $ws -- "\$@" | jq -r '"\(.approval.by) \(.sandbox.type) \(.result.exit_code)"'; }
a sh -c 'touch \$0' $outside/one/s
a sh -c 'touch \$0' $outside/one/s
echo two >$scratch/where
a sh -c 'touch \$(cat \$0)' $scratch/which
echo $outside/two/t >$scratch/which
a sh -c 'touch \$(cat \$0)' $scratch/which
END
echo "$outside/one/t" >"$scratch/which"
for decision in approved approved_for_session; do
	answer "{decision: \"$decision\", grant: .grant}"
	rm -f "$scratch/asked"
	echo "$outside/one/t" >"$scratch/which"
	run "$SBX/sbx-approve" --serve --approver "$scratch/approver" -- sh "$scratch/session"
	is "$decision: who answers" "$(xargs <<<"$out") $(asked)" \
		"approver linux-seccomp 0 $([ $decision = approved ] && echo approver || echo cache) linux-seccomp 0 approver linux-seccomp 0 approver linux-seccomp 0 $([ $decision = approved ] && echo 4 || echo 3)"
done

# A file in the home directory itself: nothing is offered, and a plain yes is no way out.
home_file=$HOME/plain
answer '{"decision":"approved"}'
run_sbx -s workspace-write -a on-request -C "$ws" --approver "$scratch/approver" --json -- touch "$home_file"
is "a plain yes to a home directory does not leave the sandbox" \
	"$(jq -r '"\(.sandbox.type) \(.result.attempts)"' <<<"$out") $(absent "$home_file"; echo $?)" "linux-seccomp 1 0"
like "... and says what would" "$err" 'nothing less than a home directory would allow it'
answer '{"decision":"approved","grant":{"sandbox":"none"}}'
run_sbx -s workspace-write -a on-request -C "$ws" --approver "$scratch/approver" --json -- touch "$home_file"
is "in so many words it does" "$status $(jq -r .sandbox.type <<<"$out") $(absent "$home_file"; echo $?)" "0 none 1"
rm -f "$home_file"

# At the terminal.
have PROGRAM expect || { skip "the prompt" "no expect"; finish; }
export TERM=dumb
at_terminal() { # SCRIPT COMMAND...
	local drive=$1
	shift
	cat >"$scratch/drive" <<END
set timeout 30
spawn -noecho $SBX/sbx-run -s workspace-write -a on-request -C $ws -- $*
$drive
expect eof
catch wait result
puts "\nENDED [lindex \$result 3]"
END
	run expect "$scratch/drive"
	screen=$(tr -d '\r' <<<"$out")
	status=$(sed -n 's/^ENDED //p' <<<"$screen")
}
at_terminal 'expect "abort"; send y' touch "$outside/two/term"
is "y: given, and done" "$status $(ls "$outside/two/term")" "0 $outside/two/term"
like "listed" "$screen" "^ +write $outside/two\$"
like "the sandbox first" "$(grep -nE '\[y\]|\[o\]' <<<"$screen" | cut -d: -f2- | xargs)" '^\[y\] once, in the sandbox.*\[o\] OUTSIDE'
unlike "nothing more to report" "$screen" 'sbx-run: denied'
at_terminal 'expect "abort"; send n' touch "$ws/.git/hooks/h"
like "a protected name is marked" "$screen" "write $ws/.git/hooks +!! a protected name"
like "n: the report says what would allow it" "$screen" "denied 1 access:"
is "... and nothing was done" "$status $(ls "$ws/.git/hooks")" "1 "
at_terminal 'expect "abort"; send a; sleep 0.3; send y; sleep 0.3; send n' "$TRY" ptrace
unlike "what nothing allows has no such key" "$screen" '\[y\]'
finish
