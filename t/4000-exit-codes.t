#!/bin/bash
# sbx-run ends with the command's own code, with 128+N for a signal, and with
# 124 to 127 only for what the design gives them.
. "${0%/*}/lib/lib.sh"

printf '#!/bin/sh\necho never\n' >"$ws/not-executable"
printf '#!/no/such/interpreter\n' >"$ws/bad-interpreter"
printf 'echo plain "$@"\n' >"$ws/plain"
printf '#!/bin/sh\necho second "$@"\n' >"$ws/tool"
chmod 755 "$ws/bad-interpreter" "$ws/plain" "$ws/tool"
mkdir "$ws/first" "$ws/first/tool"

for mode in danger-full-access workspace-write; do
	sbx=("$SBX/sbx-run" -s "$mode" -a never -C "$ws")
	for code in 0 1 2 3 77 124 125 126 127 128 200 255; do
		run "${sbx[@]}" -- sh -c "exit $code"
		is "$mode: exit $code" "$status" "$code"
	done
	is "$mode: and nothing is said about it" "$err" ""
	for signal in HUP INT QUIT KILL SEGV TERM USR1 PIPE; do
		run "${sbx[@]}" -- sh -c "ulimit -c 0; kill -$signal \$\$; sleep 5"
		is "$mode: killed by SIG$signal" "$status" "$((128 + $(kill -l "$signal")))"
	done

	run "${sbx[@]}" -- no-such-command-anywhere
	is "$mode: not found" "$status" 127
	like "$mode: and named" "$err" 'no-such-command-anywhere'
	run "${sbx[@]}" -- "$ws/no/such/file"
	is "$mode: no such path" "$status" 127
	run "${sbx[@]}" -- ./not-executable
	is "$mode: not executable" "$status" 126
	like "$mode: and named" "$err" 'not-executable.*ermission denied'
	is "$mode: and not run" "$out" ""
	run "${sbx[@]}" -- "$ws"
	is "$mode: a directory" "$status" 126
	run "${sbx[@]}" -- ./bad-interpreter
	is "$mode: no interpreter" "$status" 127
	run "${sbx[@]}" -- ./plain a b
	is "$mode: a script without #! is a shell's, as everywhere" "$status $out" "0 plain a b"
	run env PATH="$ws/first:$ws:$PATH" "${sbx[@]}" -- tool x
	is "$mode: the search goes on after a directory of that name" "$status $out" "0 second x"
	run env PATH="first::$PATH" "${sbx[@]}" -- tool y
	is "$mode: an empty entry of PATH is the command's directory" "$status $out" "0 second y"
	run "${sbx[@]}" -- sh -c 'echo "$0|$1|$2|$3"' -- '' '-x' 'a b'
	is "$mode: arguments arrive as they are" "$out" "--||-x|a b"
done

run_sbx -s workspace-write -a untrusted -C "$ws" -- touch "$ws/made"
is "not approved" "$status" 126
ok "and not run" absent "$ws/made"
run_sbx
is "no command" "$status" 125
run_sbx --no-such-option -- true
is "unknown option" "$status" 125
like "and named" "$err" '^sbx-run: option --no-such-option is unknown'
run_sbx -s no-such-mode -- touch "$ws/made"
is "unknown mode" "$status" 125
like "said by the stage that knows modes" "$err" '^sbx-run: .*no-such-mode'
run_sbx -s danger-full-access -a never -C "$ws/absent" -- touch "$ws/made"
is "missing directory" "$status" 125
run_sbx --forbid --require -s danger-full-access -a never -- touch "$ws/made"
is "contradiction" "$status" 125
run_sbx -s danger-full-access -a never --require -C "$ws" -- sh -c 'exit 9'
is "require runs in a sandbox whatever the mode" "$status" 9
ok "and nothing of all this ran" absent "$ws/made"
finish
