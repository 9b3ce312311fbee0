#!/bin/bash
# Wrong inputs, each with the line that is said and the status: one line, by the
# program that was typed, which says what is wrong and, where it can, what was meant.
. "${0%/*}/lib/lib.sh"
export HOME=$scratch/home CODEX_HOME=$scratch/home/.codex
mkdir -p "$CODEX_HOME/rules" "$scratch/other"
cat >"$CODEX_HOME/config.toml" <<'END'
[profiles.ci]
approval_policy = "never"
[permissions.review]
extends = ":read-only"
END
echo 'deny write /etc' >"$scratch/assertions"
echo 'allow writ /etc' >"$scratch/bad-assertions"
echo 'prefix_rule(pattern=["x"], decision="maybe")' >"$scratch/bad.rules"
echo plain >"$scratch/file"
cd "$ws" || exit 1

# Rows: STATUS | what is said, after "PROGRAM: " | PROGRAM and its arguments, as a shell
# reads them; @ is the scratch directory, and documents are on stdin behind "<<<".
cat >"$scratch/table" <<'END'
125 | no command (try --help) | sbx-run
125 | no command (try --help) | sbx-run --
125 | the command is empty | sbx-run -- ''
125 | option --netwrok is unknown; did you mean --network? (try --help) | sbx-run --netwrok on -- true
125 | option --ful-auto is unknown; did you mean --full-auto? (try --help) | sbx-run --ful-auto -- true
125 | option --autto is unknown; did you mean --auto? (try --help) | sbx-run --autto -- true
125 | option -x is unknown (try --help) | sbx-run -x -- true
125 | option --sandbox needs a value (try --help) | sbx-run --sandbox
125 | option -s needs a value (try --help) | sbx-run -s
125 | option --json=1 takes no value (try --help) | sbx-run --json=1 -- true
125 | --sandbox "workspace": expected read-only, workspace-write, danger-full-access or external-sandbox | sbx-run -s workspace -- true
125 | --ask-for-approval "always": expected untrusted, on-failure, on-request or never | sbx-run -a always -- true
125 | --network "yes": expected * | sbx-run --network yes -- true
125 | --tmp "mine": expected private or shared | sbx-run --tmp mine -- true
125 | --timeout "soon": expected seconds, or a duration such as 0.5, 90s, 10m, 1.5h or 2d | sbx-run --timeout soon -- true
125 | --timeout "-1": expected seconds, or a duration such as * | sbx-run --timeout -1 -- true
125 | --timeout "10 m": expected seconds, or a duration such as * | sbx-run --timeout '10 m' -- true
125 | --report "loud": expected human, json or off | sbx-run --report loud -- true
125 | --report-fd: "x": expected the number of an fd, 1 or above | sbx-run --report-fd x -- true
125 | --report-fd: 77: not an open fd | sbx-run --report-fd 77 -- true
125 | --keep-fd: "2": expected the number of an fd, 3 or above | sbx-run --keep-fd 2 -- true
125 | --report off and --report-fd contradict each other | sbx-run --report off --report-fd 2 -- true
125 | --stage: "approve=x": the path must be absolute | sbx-run --stage approve=x -- true
125 | --stage: "cook=/bin/true": expected policy, approve, select or wrap, then =/PATH | sbx-run --stage cook=/bin/true -- true
125 | --exec takes its commands and policy from the documents on stdin, not from arguments | sbx-run --exec -- true
125 | only one of --exec, --dry-run and --explain, and --json only with a run | sbx-run --dry-run --explain -- true
125 | --learn needs a command that runs | sbx-run --learn --dry-run -- true
125 | --apply-patch: expected one patch | sbx-run --apply-patch a b
125 | --require and --forbid exclude each other | sbx-run --require --forbid -- true
125 | --sandbox and --permissions contradict each other | sbx-run -s read-only -P review -- true
125 | --full-auto means workspace-write and cannot be combined with read-only | sbx-run --auto -s read-only -- true
125 | --full-auto means never ask and cannot be combined with untrusted | sbx-run --auto -a untrusted -- true
125 | --add-dir "@/other": needs --sandbox workspace-write, not read-only | sbx-run -s read-only --add-dir @/other -- true
125 | --allow-host and --network off contradict each other | sbx-run --auto --network off --allow-host x.example -- true
125 | host "a b": has a character that no host's name has | sbx-run --auto --allow-host 'a b' -- true
125 | --network off: danger-full-access does not restrict the network | sbx-run -s danger-full-access -a never --network off -- true
125 | --hide "secrets": danger-full-access runs without a sandbox, and nothing is hidden | sbx-run -s danger-full-access -a never --hide secrets -- true
125 | --accept-lost "all": expected protected-paths | sbx-run --auto --accept-lost all -- true
125 | --env "=x": expected NAME or NAME=VALUE | sbx-run --auto --env =x -- true
125 | --env NO_SUCH_VARIABLE: the variable is not set | sbx-run --auto --env NO_SUCH_VARIABLE -- true
125 | preset "gti": no such preset; did you mean "git"? | sbx-run --auto --allow gti -- true
125 | profile "c": no such profile; *there is: ci | sbx-run -p c -- true
125 | permissions "reviw": no such permission set; did you mean "review"? there is: review, :read-only, :workspace, :danger-full-access | sbx-run -P reviw -- true
125 | -c sandbox_mod: unknown key; did you mean "sandbox_mode"? | sbx-run -c sandbox_mod=read-only -- true
125 | -c sbx.obsrve: unknown key; did you mean "observe"? | sbx-run -c sbx.obsrve=on -- true
125 | -c sbx.colour: unknown key | sbx-run -c sbx.colour=on -- true
125 | sandbox_mode: expected *, found "writable" | sbx-run -c sandbox_mode=writable -- true
125 | sbx.nested: expected true or false, found "perhaps" | sbx-run -c sbx.nested=perhaps -- true
125 | --config "sandbox_mode": expected KEY=VALUE | sbx-run -c sandbox_mode -- true
125 | --config "sbx.observe=[on": * | sbx-run -c 'sbx.observe=[on' -- true
125 | cwd: "@/none": no such directory | sbx-run -C @/none -- true
125 | cwd: "@/file": not a directory | sbx-run -C @/file -- true
125 | --add-dir: "@/none": no such directory | sbx-run --auto --add-dir @/none -- true
125 | --add-dir: "/": the whole file system; that is danger-full-access | sbx-run --auto --add-dir / -- true
125 | no document on stdin | sbx-run --exec
125 | document: * | sbx-run --exec <<< 'nonsense'
127 | sbx-no-such-program: command not found | sbx-run --auto --report off -- sbx-no-such-program
126 | @/file: Permission denied | sbx-run --auto --report off -- @/file
2 | --check-path: no path given | sbx-policy --check-path read
2 | --check-path "look": expected read or write | sbx-policy --check-path look x
2 | --explain, --check-path, --test, --diff, --list, --trust, --untrust, --remember, --forget and --caches exclude each other | sbx-policy --explain --trust
2 | --trust: expected one directory | sbx-policy --trust a b
3 | cwd: "@/none": no such directory | sbx-policy --trust @/none
3 | "/" is not a project | sbx-policy --trust /
2 | --list "users": expected profiles or permissions | sbx-policy --list users
2 | --remember and --forget need --add-dir or --allow-host | sbx-policy --remember
2 | --test: takes one file and no operands | sbx-policy --test @/assertions x
3 | *bad-assertions:1: * | sbx-policy --test @/bad-assertions
2 | --timeout, --escalate, --justification, --require, --forbid, --tool, --file and --patch need a command | sbx-policy --timeout 3
2 | --tool "saw": expected exec or patch | sbx-policy --tool saw -- true
2 | --diff: expected A and B, or A alone | sbx-policy --diff
2 | --approver-timeout "0": expected seconds, or a duration such as 0.5, 90s, 10m, 1.5h or 2d, at most 1d | sbx-approve --approver-timeout 0
3 | *bad.rules:1* | sbx-approve --rules @/bad.rules <<< '{"sbx":1,"command":{"argv":["x"],"cwd":"/"},"policy":{}}'
3 | policy: missing: the document has not been through sbx-policy | sbx-approve <<< '{"sbx":1,"command":{"argv":["x"],"cwd":"/"}}'
2 | "x": takes no operands (try --help) | sbx-select x
2 | --platform "bsd": expected * | sbx-select --platform bsd
3 | approval: missing: * | sbx-wrap <<< '{"sbx":1,"command":{"argv":["x"],"cwd":"/"},"policy":{}}'
END

rows=0
while IFS= read -r row; do
	want=${row%% | *} rest=${row#* | }
	line=${rest%% | *} words=${rest#* | }
	line=${line//@/$scratch} words=${words//@/$scratch}
	program=${words%% *} said=
	rows=$((rows + 1))
	ran=$words
	(eval "$SBX/$words") >/dev/null 2>"$scratch/.err" </dev/null
	status=$?
	said=$(cat "$scratch/.err")
	# shellcheck disable=SC2053
	if [ "$status" = "$want" ] && [[ $said == "$program: "$line ]] && [ "$(wc -l <<<"$said")" = 1 ]; then
		pass "$words"
	else
		fail "$words" "wanted: $want $program: $line" "got:    $status $said"
	fi
done <"$scratch/table"
ok "control: there are at least sixty ($rows)" test "$rows" -ge 60
finish
