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
echo '#!/no/such/interpreter' >"$scratch/lost"
chmod +x "$scratch/lost"
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
125 | option -auto is unknown; did you mean --auto? (try --help) | sbx-run -auto -- true
125 | option -sandbox is unknown; did you mean --sandbox? (try --help) | sbx-run -sandbox read-only -- true
2 | option -probe is unknown; did you mean --probe? (try --help) | sbx-select -probe
125 | profile "review": no such profile; *there is: ci | sbx-run -preview -- true
125 | host "https://x.example/": a URL; expected only the host's name, and :PORT where only that is meant | sbx-run --auto --allow-host https://x.example/ -- true
125 | --allow "git": needs --auto or --sandbox workspace-write, not read-only | sbx-run -s read-only --allow git -- true
127 | make test: command not found; it is one word in quotes: leave the quotes out, or use sh -c | sbx-run --auto --report off -- 'make test'
125 | --limit "mem": expected processes, memory, cpu, tmp or files | sbx-run --auto --limit mem=2G -- true
125 | --limit memory "": expected a size such as 512M or 1.5G, at least 8M | sbx-run --auto --limit memory -- true
125 | --limit memory "much": expected a size such as 512M or 1.5G, at least 8M | sbx-run --auto --limit memory=much -- true
125 | --limit processes "0": expected a number of processes, at least 1 | sbx-run --auto --limit processes=0 -- true
125 | --limit tmp: bounds the private /tmp, and this run has the host's | sbx-run --auto --limit tmp=1G --tmp shared -- true
125 | --preview: danger-full-access runs without a sandbox, and nothing is previewed | sbx-run -s danger-full-access -a never --preview -- true
125 | --exec takes its commands and policy from the documents on stdin, not from arguments | sbx-run --preview --exec -- true
125 | option --apply needs a value (try --help) | sbx-run --apply
125 | "nosuch": there is no such preview; sbx-run --changes lists them | sbx-run --apply nosuch
125 | "../../etc": there is no such preview; sbx-run --changes lists them | sbx-run --apply ../../etc
125 | "nosuch": there is no such preview; sbx-run --changes lists them | sbx-run --discard nosuch
125 | option --discard needs a value (try --help) | sbx-run --discard
125 | "nosuch": there is no such preview; sbx-run --changes lists them | sbx-run --changes nosuch
125 | --changes, --apply and --discard are about a preview that was kept, one of them at a time; --force is for --apply | sbx-run --force -- true
125 | --mcp takes options of the policy, --approver, --audit, --stage and --verbose, and no command | sbx-run --mcp -- true
125 | --mcp takes options of the policy, --approver, --audit, --stage and --verbose, and no command | sbx-run --mcp --json
125 | --approver: unix:: not a normalized absolute path of a socket (with at most 107 bytes) | sbx-run --approver unix: -- true
125 | --approver: "fd:77": not an open, connected stream socket | sbx-run --approver fd:77 -- true
125 | --approver: empty | sbx-run --approver '' -- true
125 | --approver-timeout "never": expected seconds, or a duration such as 0.5, 90s, 10m, 1.5h or 2d, at most 1d | sbx-run --approver-timeout never -- true
125 | --command-fd: 77: not an open fd | sbx-run --command-fd 77
125 | --command-fd: "x": expected the number of an fd, 3 or above | sbx-run --command-fd x
125 | --command-fd: the command comes from the document, not from arguments | sbx-run --command-fd 3 -- true 3<@/file
125 | document: '[' or '{' expected near 'plain' at byte 5 | sbx-run --command-fd 3 3<@/file
125 | --result-fd: 77: not an open fd | sbx-run --result-fd 77 -- true
125 | --result-fd: "1": expected the number of an fd, 3 or above | sbx-run --result-fd 1 --json -- true
125 | only one of --exec, --dry-run and --explain, and --json and --result-fd only with a run | sbx-run --result-fd 3 --dry-run -- true 3>&1
125 | --report sarif and junit need a place of their own: add --report-fd 3 and 3>FILE | sbx-run --report sarif -- true
125 | --report sarif and junit need a place of their own: add --report-fd 3 and 3>FILE | sbx-run --report junit -- true
125 | --report "SARIF": expected human, json, sarif, junit or off | sbx-run --report SARIF -- true
125 | --audit: "@/none/x": No such file or directory | sbx-run --audit @/none/x -- true
125 | --learn-file: "@/none/x": No such file or directory | sbx-run --learn-file @/none/x --auto -- true
125 | --hide "": the path is empty | sbx-run --auto --hide '' -- true
125 | --narrow "": the path is empty | sbx-run --auto --narrow '' -- true
125 | option --platform is unknown (try --help) | sbx-run --platform linux -- true
2 | only one of --check-rules, --project-rules, --serve, --inbox, --list, --revoke, --clear, --list-rules and --revoke-rule | sbx-approve --inbox --list
2 | "x": takes no operands (try --help) | sbx-approve --inbox x
2 | --source: "nobody": expected interactive, exec or subagent:NAME | sbx-approve --source nobody
2 | --approver: "fd:77": not an open, connected stream socket | sbx-approve --approver fd:77 <<< '{"sbx":1,"command":{"argv":["x"],"cwd":"/"},"policy":{}}'
2 | option --platform needs a value (try --help) | sbx-select --platform
2 | --platform "bsd": expected * | sbx-wrap --platform bsd
2 | --caches: directories are for --clear, without --all | sbx-policy --caches --clear --all x
2 | --clear is for --caches, and --all for --clear | sbx-policy --all
125 | option --sandbox needs a value (try --help) | sbx-run --sandbox
125 | option -s needs a value (try --help) | sbx-run -s
125 | option --json=1 takes no value (try --help) | sbx-run --json=1 -- true
125 | --sandbox "workspace": expected read-only, workspace-write, danger-full-access or external-sandbox | sbx-run -s workspace -- true
125 | --ask-for-approval "always": expected untrusted, on-change, on-failure, on-request or never | sbx-run -a always -- true
125 | --network "yes": expected * | sbx-run --network yes -- true
125 | --tmp "mine": expected private or shared | sbx-run --tmp mine -- true
125 | --timeout "soon": expected seconds, or a duration such as 0.5, 90s, 10m, 1.5h or 2d | sbx-run --timeout soon -- true
125 | --timeout "-1": expected seconds, or a duration such as * | sbx-run --timeout -1 -- true
125 | --timeout "10 m": expected seconds, or a duration such as * | sbx-run --timeout '10 m' -- true
125 | --report "loud": expected human, json, sarif, junit or off | sbx-run --report loud -- true
125 | --report-fd: "x": expected the number of an fd, 1 or above | sbx-run --report-fd x -- true
125 | --report-fd: 77: not an open fd | sbx-run --report-fd 77 -- true
125 | --keep-fd: "2": expected the number of an fd, 3 or above | sbx-run --keep-fd 2 -- true
125 | --report off and --report-fd contradict each other | sbx-run --report off --report-fd 2 -- true
125 | --stage: "approve=x": the path must be absolute | sbx-run --stage approve=x -- true
125 | --stage: "cook=/bin/true": expected policy, approve, select or wrap, then =/PATH | sbx-run --stage cook=/bin/true -- true
125 | --exec takes its commands and policy from the documents on stdin, not from arguments | sbx-run --exec -- true
125 | only one of --exec, --dry-run and --explain, and --json and --result-fd only with a run | sbx-run --dry-run --explain -- true
125 | --learn needs a command that runs | sbx-run --learn --dry-run -- true
125 | --apply-patch: expected one patch | sbx-run --apply-patch a b
125 | --require and --forbid exclude each other | sbx-run --require --forbid -- true
125 | --sandbox and --permissions contradict each other | sbx-run -s read-only -P review -- true
125 | --full-auto means workspace-write and cannot be combined with read-only | sbx-run --auto -s read-only -- true
125 | --full-auto means never ask and cannot be combined with untrusted | sbx-run --auto -a untrusted -- true
125 | --add-dir "@/other": needs --auto or --sandbox workspace-write, not read-only | sbx-run -s read-only --add-dir @/other -- true
125 | --allow-host and --network off contradict each other | sbx-run --auto --network off --allow-host x.example -- true
125 | host "a b": one host at a time; write each of several by itself | sbx-run --auto --allow-host 'a b' -- true
125 | --network off: danger-full-access does not restrict the network | sbx-run -s danger-full-access -a never --network off -- true
125 | --hide "secrets": danger-full-access runs without a sandbox, and nothing is hidden | sbx-run -s danger-full-access -a never --hide secrets -- true
125 | --accept-lost "all": expected protected-paths, pinned-paths, hosts, unix-sockets, network, time-limit or limits | sbx-run --auto --accept-lost all -- true
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
127 | cd: command not found; it is a builtin of the shell: sh -c 'cd ...' | sbx-run --auto --report off -- cd src
127 | A=1: command not found; to set a variable: --env A=1 | sbx-run --auto --report off -- A=1 make
127 | ./none: no such file | sbx-run --auto --report off -- ./none
127 | none/x: no such file | sbx-run -s danger-full-access -a never --report off -- none/x
127 | @/lost: the file is there, but the interpreter or loader that it names is not | sbx-run --auto --report off -- @/lost
127 | @/lost: the file is there, but the interpreter or loader that it names is not | sbx-run -s danger-full-access -a never --report off -- @/lost
126 | @: Permission denied | sbx-run --auto --report off -- @
127 | sbx-no-such-program: command not found | sbx-approve --serve -- sbx-no-such-program
125 | option --net is unknown; did you mean --network? (try --help) | sbx-run --net on -- true
125 | option --no-network is unknown; did you mean --network off? (try --help) | sbx-run --no-network -- true
125 | option --host is unknown; did you mean --allow-host? (try --help) | sbx-run --host x.example -- true
125 | option --allow-hosts is unknown; did you mean --allow-host? (try --help) | sbx-run --allow-hosts x.example -- true
125 | option --read-only is unknown; did you mean --sandbox read-only? (try --help) | sbx-run --read-only -- true
125 | option --workspace-write is unknown; did you mean --sandbox workspace-write? (try --help) | sbx-run --workspace-write -- true
125 | option --bind is unknown; did you mean --add-dir? (try --help) | sbx-run --bind . . -- true
125 | option --never is unknown; did you mean --ask-for-approval never? (try --help) | sbx-run --never -- true
125 | option --yolo is unknown; did you mean --auto? (try --help) | sbx-run --yolo -- true
125 | option --quiet is unknown; did you mean --report off? (try --help) | sbx-run --quiet -- true
125 | option -q is unknown; did you mean --report off? (try --help) | sbx-run -q -- true
125 | option -V is unknown; did you mean --version? (try --help) | sbx-run -V
125 | option --cwd is unknown; did you mean --cd? (try --help) | sbx-run --cwd / -- true
125 | option --memory is unknown; did you mean --limit memory=SIZE? (try --help) | sbx-run --memory 2G -- true
2 | option --net is unknown (try --help) | sbx-select --net
125 | option --hide needs a value (try --help) | sbx-run --hide -- true
125 | option --add-dir needs a value (try --help) | sbx-run --auto --add-dir -- true
125 | option --network needs a value (try --help) | sbx-run --auto --network -- true
125 | option --justification needs a value (try --help) | sbx-run --escalate --justification -- true
125 | option --learn-file needs a value (try --help) | sbx-run --auto --learn-file -- true
125 | option -C needs a value (try --help) | sbx-run -C -- true
125 | option --auto=yes takes no value (try --help) | sbx-run --auto=yes -- true
125 | --sandbox "=read-only": expected read-only, workspace-write, danger-full-access or external-sandbox | sbx-run -s=read-only -- true
125 | --sandbox "": expected read-only, workspace-write, danger-full-access or external-sandbox | sbx-run -s '' -- true
125 | --ask-for-approval "ask": expected untrusted, on-change, on-failure, on-request or never | sbx-run -a ask -- true
125 | --network "x.example": expected off, loopback, hosts or on | sbx-run --network x.example -- true
125 | --network "ON": expected off, loopback, hosts or on | sbx-run --network ON -- true
125 | --tmp "/tmp": expected private or shared | sbx-run --auto --tmp /tmp -- true
125 | --timeout "10min": expected seconds, or a duration such as 0.5, 90s, 10m, 1.5h or 2d | sbx-run --timeout 10min -- true
125 | --timeout "": expected seconds, or a duration such as 0.5, 90s, 10m, 1.5h or 2d | sbx-run --timeout '' -- true
125 | --limit "disk": expected processes, memory, cpu, tmp or files | sbx-run --auto --limit disk=1G -- true
125 | --limit cpu "200%": expected a number of processors such as 2 or 0.5, at least 0.01 | sbx-run --auto --limit cpu=200% -- true
125 | --limit processes "": expected a number of processes, at least 1 | sbx-run --auto --limit memory=2G,processes -- true
125 | host "a.example,b.example": one host at a time; write each of several by itself | sbx-run --auto --allow-host a.example,b.example -- true
125 | host "git*x.example:a/b": expected only the host's name, without what is before the * and after the host | sbx-run --auto --allow-host $'git\x40x.example:a/b' -- true
125 | host "x.example:https": expected ports from 1 to 65535, with commas between them | sbx-run --auto --allow-host x.example:https -- true
125 | host "*x.example": a star stands for whole labels, at the beginning: *.example.org | sbx-run --auto --allow-host '*x.example' -- true
125 | host "10.0.0.0/33": expected a number of bits after the slash, 32 at most | sbx-run --auto --allow-host 10.0.0.0/33 -- true
125 | host "10.0.0.1/8": the address has bits that the network leaves open; they must be zero | sbx-run --auto --allow-host 10.0.0.1/8 -- true
125 | host "::1": an IPv6 address is written in brackets | sbx-run --auto --allow-host ::1 -- true
125 | host "": the name is empty | sbx-run --auto --allow-host '' -- true
125 | preset "npm": no such preset; did you mean "cache:npm"? | sbx-run --auto --allow npm -- true
125 | preset "@": no such preset; did you mean --add-dir? | sbx-run --auto --allow @ -- true
125 | preset "x.example": no such preset; did you mean --allow-host? | sbx-run --auto --allow x.example -- true
125 | preset "network": no such preset; did you mean --network? | sbx-run --auto --allow network -- true
125 | preset "frobnicate": no such preset; sbx-policy(1) lists them | sbx-run --auto --allow frobnicate -- true
125 | flag --hide: "secret": no such file here; did you mean "secrets"? ("./secret" is a file) | sbx-run --auto --hide secret -- true
125 | -c network: unknown key; did you mean --network? | sbx-run -c network=on -- true
125 | -c sandbox: unknown key; did you mean --sandbox? | sbx-run -c sandbox=read-only -- true
125 | sandbox_mode: expected *, found "writable" | sbx-run -c 'sandbox_mode = writable' -- true
125 | sandbox_workspace_write.network_access: expected true or false, found "yes" | sbx-run -c sandbox_workspace_write.network_access=yes -- true
125 | -c sandbox_workspace_write.writable_root: unknown key; did you mean "writable_roots"? | sbx-run -c sandbox_workspace_write.writable_root=/srv -- true
125 | permissions "read-only": no such permission set; did you mean ":read-only"? * | sbx-run -P read-only -- true
125 | --env "": expected NAME or NAME=VALUE | sbx-run --env '' -- true
125 | --keep-fd: 99: not an open fd | sbx-run --keep-fd 99 -- true
125 | --learn-file: ".": Is a directory | sbx-run --auto --learn-file . -- true
125 | cwd: "": no such directory | sbx-run -C '' -- true
125 | workspace: "/": the whole file system would be writable; name a directory with -C, or use danger-full-access | sbx-run --auto -C / -- true
126 | not run: nobody to ask: the command is not known to be safe; use --approver CMD or a terminal; -a on-request runs it without asking | sbx-run -a untrusted --report off -- make
126 | not run: the approver ended with status 1 (asked because the command is not known to be safe) | sbx-run -a untrusted --report off --approver /bin/false -- make
126 | not run: the approver's answer is not a JSON object (asked because the command is not known to be safe) | sbx-run -a untrusted --report off --approver /bin/true -- make
126 | not run: nobody is asked under -a never: the command asks to run outside the sandbox; leave out --escalate or --forbid * | sbx-run --auto --escalate --report off -- true
126 | not approved: the document has not been through sbx-approve | sbx-run --exec <<< '{"sbx":1,"command":{"argv":["x"],"cwd":"/"}}'
2 | --sandbox: "rw": expected read-only, workspace-write, danger-full-access or external-sandbox | sbx-approve --serve --sandbox rw
2 | --ask-for-approval: "yes": expected untrusted, on-change, on-failure, on-request or never | sbx-approve --serve --ask-for-approval yes
2 | --check-rules: expected FILE... -- COMMAND | sbx-approve --check-rules make
2 | --tool patch and --file or --patch need each other | sbx-policy --file x -- true
2 | --trust --hide: expected secrets or gitignored, once; * | sbx-policy --trust --hide keys
3 | "@/none": No such file or directory | sbx-policy --test @/none
3 | permissions ":workspaces": no such permission set; did you mean ":workspace"? * | sbx-policy --diff :workspaces :read-only
3 | command.cwd: "x": not an absolute path | sbx-policy <<< '{"sbx":1,"command":{"argv":["x"],"cwd":"x"}}'
3 | command.argv: expected a list | sbx-policy <<< '{"sbx":1,"command":{"argv":"make","cwd":"/"}}'
3 | document: expected an object with "sbx":1 | sbx-policy <<< '{}'
3 | *learned.rules: has no rule x | sbx-approve --revoke-rule x
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
ok "control: there are at least two hundred ($rows)" test "$rows" -ge 200
finish
