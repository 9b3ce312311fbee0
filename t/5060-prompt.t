#!/bin/bash
# The question at a real terminal: what it shows, and what every key does.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
need PROGRAM expect
export HOME=$scratch/home CODEX_HOME=$scratch/codex TERM=dumb
mkdir -p "$HOME" "$CODEX_HOME"
mkdir -m 700 "$scratch/run"

# at_terminal DOCUMENT SCRIPT: runs sbx-approve in a pseudo-terminal, the
# document on stdin; SCRIPT is expect's.  Sets $status, $out and $screen.
at_terminal() {
	printf '%s\n' "$1" >"$scratch/doc"
	cat >"$scratch/drive" <<END
set timeout 20
log_user 1
spawn -noecho bash -c {${before-} "$SBX/sbx-approve" ${options-} <"$scratch/doc" >"$scratch/result" 2>"$scratch/complaint"; echo "status=\$?"}
$2
expect {
	-re {status=([0-9]+)} { puts "\nENDED \$expect_out(1,string)" }
	timeout { puts "\nENDED timeout" }
	eof { puts "\nENDED eof" }
}
END
	: >"$scratch/result"
	expect "$scratch/drive" >"$scratch/screen" 2>&1
	screen=$(tr -d '\r' <"$scratch/screen")
	status=$(sed -n 's/^ENDED //p' <<<"$screen")
	out=$(cat "$scratch/result")
	ran="expect: $2"
	cp "$scratch/screen" "$scratch/.out"
	cp "$scratch/complaint" "$scratch/.err"
}
field() { jq -r "$1" <<<"$out"; }
decision() { field '"\(.approval.decision) \(.approval.by)"'; }
untrusted=$(doc '.policy.approval_policy = "untrusted" | .command.justification = "because"')
asked='expect "abort"'

at_terminal "$untrusted" "$asked; send y"
is "y: once" "$status $(decision)" "0 approved user"
for shown in 'command  make test' "cwd +$ws" 'sandbox  workspace-write, network [a-z]+' 'reason +the command is not known' 'why +because'; do
	like "shown: $shown" "$screen" "$shown"
done
at_terminal "$untrusted" "$asked; send \"y\\r\""
is "y and Return" "$status $(decision)" "0 approved user"
before="XDG_RUNTIME_DIR=$scratch/run $SBX/sbx-approve --serve --" at_terminal "$untrusted" "$asked; send a"
is "a: for the session" "$status $(decision)" "0 approved_for_session user"
at_terminal "$untrusted" "$asked; send a; sleep 0.3; send n"
is "a is not offered without one" "$status $(decision) $(grep -c '\[a\]' <<<"$screen")" "1 denied user 0"
at_terminal "$untrusted" "$asked; send ?; $asked; send n"
like "?: what the keys do" "$screen" 'does not run it, and tells that program to stop'
at_terminal "$untrusted" "$asked; send n"
is "n: no" "$status $(decision)" "1 denied user"
at_terminal "$untrusted" "$asked; send q"
is "q: abort" "$status $(decision)" "1 abort user"
at_terminal "$untrusted" "$asked; send \\003"
is "^C: abort" "$status $(decision)" "1 abort user"
at_terminal "$untrusted" "$asked; send \\004"
is "^D: abort" "$status $(decision)" "1 abort user"
at_terminal "$untrusted" "$asked; send \"x\"; sleep 0.3; send \"\\r\"; sleep 0.3; send \"n\""
is "other keys are no answer" "$status $(decision)" "1 denied user"
at_terminal "$untrusted" "$asked; send \"yes please\"; sleep 0.3; send n"
is "a paste is no answer" "$status $(decision)" "1 denied user"
at_terminal "$untrusted" "$asked; send o; sleep 0.3; send n"
is "o is not offered where nothing leaves the sandbox" "$status $(decision)" "1 denied user"
unlike "... nor shown" "$screen" 'OUTSIDE'
at_terminal "$untrusted" "$asked; close; wait"
is "the terminal goes away: nothing is approved" "$(grep -c '"decision":"approved' "$scratch/result")" 0

# Typed before the question was there: no answer.  The control reads the same bytes.
before='sleep 1;' at_terminal "$untrusted" "send yyy; $asked; sleep 0.5; send n"
is "what was typed before is no answer" "$status $(decision)" "1 denied user"
before='sleep 1; read -r -n 1 key </dev/tty; echo "typed=$key" >/dev/tty;' at_terminal "$untrusted" "send yyy; $asked; send n"
like "control: it was there to be read" "$screen" 'typed=y'

# A run outside is asked about: no key of the sandbox means it.
escalate=$(doc '.command.escalate = true')
at_terminal "$escalate" "$asked; send y; sleep 0.3; send n"
is "y does not leave the sandbox" "$status $(decision)" "1 denied user"
at_terminal "$escalate" "$asked; send o"
is "o does" "$status $(decision) $(field '.approval.grant | tojson')" '0 approved user {"sandbox":"none"}'
before='TERM=xterm' at_terminal "$escalate" "$asked; send n"
like "in a colour of its own" "$screen" $'\x1b\\[1;31m  \\[o\\] OUTSIDE'
before='NO_COLOR=1 TERM=xterm' at_terminal "$escalate" "$asked; send n"
unlike "unless none is wanted" "$screen" $'\x1b\\[1;31m'

# r: the rule as it will be saved.
at_terminal "$untrusted" "$asked; send r; expect \"back\"; send y"
rule="prefix_rule(pattern=[\"make\", \"test\"], decision=\"allow\", where=\"sandbox\", rest=\"none\", project=\"$ws\")"
# unfolded: what stands on the screen as one text again
unfolded() { tr -d '\r' <"$scratch/screen" | sed -z 's/\n *| //g'; }
is "r, y: saved for the project" "$status $(decision) $(cat "$CODEX_HOME/rules/learned.rules")" "0 approved user $rule"
like "and was shown exactly so" "$(unfolded | grep -cF "$rule")" '^[1-9]'
stage sbx-approve <<<"$untrusted"
is "it counts from then on" "$status $(decision)" "0 approved rule"
stage sbx-approve < <(jq -c --arg o "$outside" '.command.cwd = $o' <<<"$untrusted")
is "in the project only" "$status" 1
rm -r "$CODEX_HOME/rules"
at_terminal "$untrusted" "$asked; send r; expect \"back\"; send e; expect \"back\"; send d; expect \"back\"; send y"
like "r, e, d, y: everywhere, for a day" "$(cat "$CODEX_HOME/rules/learned.rules")" \
	'^prefix_rule\(pattern=\["make", "test"\], decision="allow", where="sandbox", rest="none", expires="20[0-9-]+T[0-9:]+Z"\)$'
rm -r "$CODEX_HOME/rules"
at_terminal "$untrusted" "$asked; send r; expect \"back\"; send n; $asked; send n"
is "r, n: back, nothing saved" "$status $(decision) $(ls "$CODEX_HOME")" "1 denied user "
for argv in '["sh","-c","make $x"]' '["sudo","make"]' '["./x"]' '["python3","x"]'; do
	at_terminal "$(jq -c ".command.argv = $argv" <<<"$untrusted")" "$asked; send r; sleep 0.3; send n"
	is "no rule is offered for $argv" "$status $(ls "$CODEX_HOME")" "1 "
done

# y: just the denied thing.
denied=$(doc ".result = {denied: true, denials: [{op: \"write\", path: \"$outside\", syscall: \"openat\"},
	{op: \"connect\", address: \"127.0.0.1:80\"}]}")
at_terminal "$denied" "$asked; send y"
is "y after a denial: the denied thing alone, in the sandbox" "$status $(decision) $(field '.approval.grant | tojson')" \
	"0 approved user {\"write\":[\"$outside\"],\"network\":\"loopback\"}"
like "the denials are shown" "$screen" "denied +write $outside"
at_terminal "$denied" "$asked; send o"
is "o: without the sandbox, in so many words" "$status $(field '.approval.grant | tojson')" '0 {"sandbox":"none"}'
before="XDG_RUNTIME_DIR=$scratch/run $SBX/sbx-approve --serve --" at_terminal "$(doc '.command.tool = "patch" | .command.files = ["/w/a/x", "/w/a/b/y"]')" "$asked; send w"
is "w for a patch, in a session: the directory" "$status $(decision)" "0 approved_for_session user"
like "... which was shown" "$screen" 'all files below /w/a,'

# What an attacker puts into the words of a command.
evil=$(doc '.policy.approval_policy = "untrusted" | .command.argv = ["make", "\u001b[2J\u001b]0;x\u0007\r\n", "\u202eevil\u2066", "\u200b"]')
at_terminal "$evil" "$asked; send n"
like "control: ours are in front of the question" "$screen" $'\x1b\\[J'
unlike "no escape sequence reaches the terminal" "${screen##*$'\x1b[J'}" $'\x1b'
unlike "no bidi control does" "$screen" $'\u202e|\u2066|\u200b'
like "they are shown as what they are" "$screen" '\\x1b\[2J.*\\x0d\\x0a.*\\u\{202e\}'
long=$(doc '.policy.approval_policy = "untrusted" | .command.argv = ["make", ([range(5000) | "aaaa"] | join(" ")), "THE-TAIL"]')
at_terminal "$long" "$asked; send n"
like "the tail of a long command is shown" "$screen" 'THE-TAIL'
like "and that something is not" "$screen" 'bytes of the command are NOT shown'
at_terminal "$long" "$asked; send v; $asked; send n"
ok "v shows all of it" [ "$(wc -c <"$scratch/screen")" -gt 25000 ]

# Nobody at all.
run setsid -w "$SBX/sbx-approve" <<<"$untrusted"
is "without a terminal" "$status $(decision)" "1 denied none"
like "it says how to approve" "$err" 'nobody to ask: .*--approver'
finish
