#!/bin/bash
# The launcher starts a command with its arguments, streams, environment and
# exit code, and says what went wrong with the name of the call.
. "${0%/*}/../lib/lib.sh"
. "${0%/*}/wine.sh"
echild=$(drive "$child")

# Nothing is pretended: where the token is not held, nothing runs.
run wine "$bin" --plan-file "$(drive "$scratch/plan")" -- "$echild" exit 7
is "wine does not hold the token, so the command does not run" "$status" 125
like "... said" "$err" '^sbx-wintoken: this system does not hold restricted tokens'
launch "$echild" exit 7
is "--unenforced runs it" "$status" 7
is "... and says so each time" "$warned" 1
ok "the token, the job and the process were made" test -s "$scratch/plan"

launch "$echild" job
is "the child is in a job" "$out" "job 1"
run wine "$child" job
is "control: without the launcher it is in none" "$out" "job 0"

run wine "$driver" codes "$(drive "$bin")" --unenforced --plan-file "$(drive "$scratch/plan")" -- "$echild" exit
is "every exit code from 0 to 255, and of 32 bits" "$(tail -n 1 <<<"${out%$'\r'}")" "262 of 262"

ran="copy"
printf 'a\0b\r\n\377' | wine "$bin" --unenforced --plan-file "$(drive "$scratch/plan")" -- "$echild" copy \
	>"$scratch/.out" 2>"$scratch/.err"
is "stdin and stdout are the command's, byte by byte" "$(od -An -tx1 "$scratch/.out" | tr -d ' ')" "6100620d0aff"
is "... and stderr" "$(tail -n 1 "$scratch/.err")" err
launch "$echild" cwd
is "the directory is the plan's" "${out%$'\r'}" "$(drive "$ws")"

# The environment.
HTTP_PROXY=http://real:1 SBX_SESSION=x KEEP=$'\u00e9' NULLED=/dev/null launch "$echild" env
variable() { sed -n "s/^$1=//pI" <<<"$out"; }
is "proxies lead nowhere" "$(variable HTTP_PROXY)" "http://127.0.0.1:9"
is "tools are told" "$(variable PIP_NO_INDEX) $(variable CARGO_NET_OFFLINE) $(variable NPM_CONFIG_OFFLINE)" "1 true true"
is "markers" "$(variable SBX_SANDBOX) $(variable CODEX_SANDBOX_NETWORK_DISABLED)" "windows-restricted-token 1"
is "the session does not get in" "$(variable SBX_SESSION)" ""
is "other variables do, whatever their letters" "$(variable KEEP)" $'\u00e9'
is "/dev/null is NUL" "$(variable NULLED)" NUL
stubs=$(drive "$CODEX_HOME")'\sbx-wintoken\stubs'
is "the stub folder is first in PATH" "$(variable PATH | cut -d';' -f1)" "$stubs"
like "... and the rest is still there" "$(variable PATH)" ';C:\\windows'
like "batch files first in PATHEXT" "$(variable PATHEXT | tr '[:lower:]' '[:upper:]')" '^\.BAT;\.CMD;\.COM;\.EXE'

# Stubs.
launch ssh host
is "ssh is a stub" "$status" 1
like "... that says why" "$err" '^ssh: the network is off'
launch cmd /c scp a b
is "also for a shell inside" "$status" 1
is "they are nobody else's" "$(find "$CODEX_HOME/sbx-wintoken" -path '*stubs*' -perm /022)" ""
echo changed >"$CODEX_HOME/sbx-wintoken/stubs/ssh.bat"
launch "$echild" exit 0
like "one that was changed is made again" "$(cat "$CODEX_HOME/sbx-wintoken/stubs/ssh.bat")" 'the network is off'

# Which file is run.
cp "$child" "$ws/here.exe"
launch here exit 3
is "nothing is found in the current directory by its name" "$status" 127
launch '.\here' exit 3
is "but by its path" "$status" 3
mkdir "$ws/a b"
cp "$child" "$ws/a b/prog.exe"
cp "$child" "$ws/a.exe"
launch "$(drive "$ws/a b/prog")" exit 4
is "a blank in a path is no end of it" "$status" 4
launch no-such-command
is "what is not there is 127" "$status" 127
like "... said" "$err" '^sbx-wintoken: no-such-command: command not found'
echo text >"$ws/text.exe"
launch '.\text.exe'
is "what is no program is 126" "$status" 126
like "... with the call and the system's words" "$err" '^sbx-wintoken: CreateProcessAsUserW: .*text.exe: .+ \(error [0-9]+\)'
launch 'C:here.exe'
is "a path that counts from nowhere is refused" "$status" 127
launch '.\here.exe:x.bat'
is "and so is a stream" "$status" 127

# Batch files: what cmd.exe would interpret is refused, the rest arrives.
printf '@echo [%%1] [%%2]\r\n' >"$ws/show.bat"
launch '.\show.bat' 'a b' 'c&echo injected'
is "a batch file gets its arguments" "$(tr -d '\r' <<<"$out" | head -n 1)" '["a b"] ["c&echo injected"]'
for bad in '%PATH%' '"&echo injected' $'a\nb'; do
	launch '.\show.bat' "$bad"
	is "$(printf '%q' "$bad") is refused" "$status $out" "126 "
done
finish
