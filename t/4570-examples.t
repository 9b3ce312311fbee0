#!/bin/bash
# share/examples: each place works, as far as a machine without the product can say.
. "${0%/*}/lib/lib.sh"
need SANDBOX
need PROGRAM python3
export HOME=$scratch/home PATH=$SBX:$PATH
mkdir -m 700 "$HOME"
examples=$SHARE/examples
[ -x /usr/bin/python3 ] && python=/usr/bin/python3 || python=$(command -v python3)
is "README names every place" "$(sed -nE 's/^    ([a-z-]+)\/ .*/\1/p' "$examples/README" | sort | xargs)" \
	"$(cd "$examples" && find . -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort | xargs)"

# An agent in each language: a denial, a question, a grant, and on.
mkdir -p "$scratch/python/sbx_programs" "$outside/py" "$outside/js"
cp "$SHARE/clients/python/sbx.py" "$scratch/python/"
ln -s "$SBX" "$scratch/python/sbx_programs/bin"
observed=
! have OBSERVER || [ -n "${T_DOCKER-}" ] || observed=1
agent() { # NAME NOTES COMMAND...
	run "${@:3}" "$ws" "$2"
	if [ -n "$observed" ]; then
		is "$1: it goes on with what it was granted" "$status $(cat "$2" 2>/dev/null)" "0 done"
		is "$1: after one question" "$(grep -c '^asked: the sandbox denied' <<<"$out")" 1
		run "${@:3}" "$ws" "${2%/*}/../elsewhere/notes"
		isnt "$1: and not with what was not" "$status" 0
	else
		isnt "$1: without an observer nothing is granted" "$status" 0
	fi
}
mkdir "$outside/elsewhere"
chmod 500 "$outside/elsewhere"
ok "under forty lines" test "$(cat "$examples"/agent-loop/* | wc -l)" -lt 80
agent "agent.py" "$outside/py/notes" env PYTHONPATH="$scratch/python" PYTHONDONTWRITEBYTECODE=1 "$python" "$examples/agent-loop/agent.py"
if have PROGRAM node && [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 18 ]; then
	arch=$(node -p process.arch)
	mkdir -p "$scratch/node/programs/$arch"
	cp "$SHARE/clients/node/"* "$scratch/node/"
	ln -s "$SBX" "$scratch/node/programs/$arch/bin"
	agent "agent.mjs" "$outside/js/notes" env SBX_CLIENT="$scratch/node/index.mjs" node "$examples/agent-loop/agent.mjs"
else
	skip "agent.mjs" "no node of 18 or later"
fi

# Claude Code: the hook rewrites the command, and what it makes of it is that command in the sandbox.
cat >"$scratch/call.py" <<'END'
import json, sys
print(json.dumps({"hook_event_name": "PreToolUse", "tool_name": sys.argv[1], "tool_input": {"command": sys.argv[2], "timeout": 5}}))
END
hook() { "$python" "$scratch/call.py" "$1" "$2" | "$python" "$examples/claude-code/sbx-hook" "${@:3}"; }
hooked() { # COMMAND: what it does
	hook Bash "$1" allow --auto -C "$ws" >"$scratch/hook"
	bash -c "$(jq -r .hookSpecificOutput.updatedInput.command "$scratch/hook")" 2>&1
}
said=$(hook Bash 'ls' | jq -r '.hookSpecificOutput | "\(.hookEventName) \(.permissionDecision) \(.updatedInput.timeout) \(.updatedInput.command)"')
is "hook: asks unless told" "$said" "PreToolUse ask 5 sbx-run --sandbox workspace-write --ask-for-approval never -- bash -c ls"
for line in "echo 'a  b' \"\$((1 + 1))\"; touch made; ls made" $'echo one\necho two' 'true && echo "$0" -- --sandbox' "echo \$'x\\ty'"; do
	is "hook: the same words: ${line//$'\n'/\\n}" "$(hooked "$line")" "$(cd "$ws" && touch made && bash -c "$line")"
done
hooked "touch $outside/h; :; touch '$outside/h'" >/dev/null
ok "hook: in the sandbox" absent "$outside/h"
hooked "sbx-run -s danger-full-access -a never -- true; touch $outside/h" >/dev/null
ok "hook: also one that begins with sbx-run" absent "$outside/h"
touch "$outside/control"
ok "control: it can be made" exists "$outside/control"
# Whatever runs commands comes to the hook, and goes on in the sandbox or not at all.
settings=$examples/claude-code/settings.json
matcher=$(jq -r '.hooks.PreToolUse[0].matcher' "$settings")
for tool in Bash Monitor PowerShell; do
	like "hook: it is asked about $tool" "$tool" "^($matcher)$"
	hook "$tool" "touch '$outside/h'" allow --auto -C "$ws" >"$scratch/hook"
	case $(jq -r .hookSpecificOutput.permissionDecision "$scratch/hook") in
	deny) ;;
	allow) bash -c "$(jq -r .hookSpecificOutput.updatedInput.command "$scratch/hook")" >/dev/null 2>&1 ;;
	*) touch "$outside/h" ;; # as the product would
	esac
	ok "hook: $tool does nothing outside" absent "$outside/h"
done
is "hook: a Monitor without a command is denied" "$("$python" "$examples/claude-code/sbx-hook" allow <<<'{"tool_name":"Monitor","tool_input":{"ws":{"url":"wss://x"}}}' | jq -r .hookSpecificOutput.permissionDecision)" deny
is "hook: one that fails or hangs blocks" "$(jq -r '.hooks.PreToolUse[0].hooks[0].onFailure' "$settings")" block
run bash -c "$(jq -r '.hooks.PreToolUse[0].hooks[0].command' "$examples/claude-code/settings.json" | sed "s|/usr/local/bin|$scratch/nowhere|")" <<<'{}'
is "hook: one that does not start blocks the tool" "$status" 2
run bash -c "$(jq -r '.hooks.PreToolUse[0].hooks[0].command' "$examples/claude-code/settings.json" | sed "s|/usr/local/bin|$examples/claude-code|")" <<<'{}'
is "... and one that does, not" "$status" 0
is "hook: other tools are left alone" "$(hook Read x)" ""
for junk in '' '{}' '[]' '{"tool_name":"Bash"}' '{"tool_name":"Bash","tool_input":{"command":7}}' 'x'; do
	denied=$("$python" "$examples/claude-code/sbx-hook" allow <<<"$junk")
	if [ "$junk" = '{}' ]; then is "hook: no tool, no word" "$denied" ""; else
		is "hook: what is no call is denied: $junk" "$(jq -r .hookSpecificOutput.permissionDecision <<<"$denied")" deny
	fi
done

# Files that products read.
for file in "$examples"/*/*.json; do
	ok "JSON: ${file#"$examples"/}" "$python" -m json.tool "$file"
done
if "$python" -c 'import yaml' 2>/dev/null; then
	for file in "$examples"/*/*.y*ml; do
		ok "YAML: ${file#"$examples"/}" "$python" -c 'import sys, yaml; assert yaml.safe_load(open(sys.argv[1]))' "$file"
	done
else
	skip "YAML" "no yaml for python"
fi
# Every option that they give sbx-run is one.
known=$("$SBX/sbx-run" --help | grep -oE -- '--[a-z-]+' | sort -u)
for file in "$examples"/*/*; do
	used=$(grep -hE 'sbx-run|"args"|options:|OPTIONS|SHELLFLAGS|default: --' "$file" | grep -oE -- '(^|[" ,])--[a-z-]+' | tr -d '", ' | sort -u |
		grep -vxE -- '--(check|quiet|fail|silent|show-error|location|proto|output|prefix|probe)?')
	unknown=$(comm -23 <(printf '%s\n' "$used" | grep .) <(echo "$known") | xargs)
	is "options: ${file#"$examples"/}" "$unknown" ""
done
# A server that an entry starts answers, in a session of its own.
cat >"$scratch/entry.py" <<'END'
import json, subprocess, sys
entry = json.load(open(sys.argv[1]))
(server,) = (entry.get("mcpServers") or entry["servers"]).values()
words = [server["command"], *(word.replace("${workspaceFolder}", sys.argv[2]) for word in server["args"])]
hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
said = subprocess.run(words, input=json.dumps(hello) + "\n", stdout=subprocess.PIPE, cwd=sys.argv[2], timeout=20, text=True, check=False)
print(json.loads(said.stdout.splitlines()[0])["result"]["serverInfo"]["name"])
END
for file in "$examples"/{claude-code,cursor,gemini-cli,vscode}/*.json; do
	grep -q '"--mcp"' "$file" || continue
	is "MCP: ${file#"$examples"/}" "$("$python" "$scratch/entry.py" "$file" "$ws" 2>&1)" sbx
done
mkdir "$HOME/.codex"
cp "$examples/codex/config.toml" "$HOME/.codex/config.toml"
run "$SBX/sbx-run" --explain -C "$ws" -- true
like "codex: its file is our policy" "$status $out" 'workspace-write'
is "codex: without a warning" "$err" ""
rm -r "$HOME/.codex"

# Make, bisect, pre-commit, a unit, and CI.
if have PROGRAM make; then
	mkdir "$ws/make"
	cp "$examples/make/Makefile" "$ws/make/"
	run make -s -C "$ws/make"
	is "make: recipes are in the sandbox" "$status $(cat "$ws/make/built") $([ -e "$ws/outside-of-the-project" ] || echo no)" "0 made no"
fi
cd "$ws" || exit
bisect() { "$examples/git-bisect/bisect" "$@" >/dev/null 2>&1; echo $?; }
is "git bisect: good, bad, to be skipped" "$(bisect true) $(bisect sh -c 'exit 3') $(bisect no-such-program) $(bisect sh -c 'kill -9 $$')" "0 3 125 125"
is "git bisect: in the sandbox" "$(bisect touch "$outside/b") $(ls "$outside/b" 2>/dev/null)" "1 "
printf 'clean\n' >"$ws/clean"
printf 'blank \n' >"$ws/blank"
entry=$(sed -n 's/^ *entry: //p' "$examples/pre-commit/pre-commit-config.yaml")
pre_commit() { "$python" -c 'import shlex, subprocess, sys; sys.exit(subprocess.call(shlex.split(sys.argv[1]) + sys.argv[2:]))' "$entry" "$@" >/dev/null 2>&1; echo $?; }
is "pre-commit: as it splits its entry" "$(pre_commit clean) $(pre_commit clean blank)" "0 1"
start=$(sed -n 's/^ExecStart=\/usr\/local\/bin\///p' "$examples/systemd/sbx-job.service")
run bash -c "$start"
is "systemd: what is started" "$status $([ -s last-run ] && echo made)" "0 made"
if have PROGRAM systemd-analyze; then
	mkdir "$scratch/units"
	sed "s|/usr/local/bin/sbx-run|/bin/true|" "$examples/systemd/sbx-job.service" >"$scratch/units/sbx-job.service"
	cp "$examples/systemd/sbx-job.timer" "$scratch/units/"
	ok "systemd: the units" systemd-analyze verify "$scratch/units/sbx-job.service" "$scratch/units/sbx-job.timer"
fi
if [ -x /usr/bin/jq ]; then
	mkdir -p "$scratch/runner/sbx"
	ln -s "$SBX" "$scratch/runner/sbx/bin"
	step() { # FAIL-ON-DENIAL COMMAND
		rm -f "$scratch/summary" "$scratch/output"
		run env RUNNER_TEMP="$scratch/runner" GITHUB_STEP_SUMMARY="$scratch/summary" GITHUB_OUTPUT="$scratch/output" \
			OPTIONS="--auto" COMMAND="$2" FAIL_ON_DENIAL="$1" "$examples/github-actions/step" run
	}
	step false 'echo hello; exit 3'
	is "GitHub: status and output are the command's" "$status $(sed -n 2p <<<"$out")" "3 hello"
	is "GitHub: the log is named" "$(cat "$scratch/output")" "sarif=$scratch/runner/sbx/denials.sarif"
	if [ -n "$observed" ]; then
		step false "touch '$outside/a%0A::error::b' $outside/c; true"
		is "GitHub: an annotation a denial" "$status $(grep -c '^::warning title=sbx::denied: create' <<<"$out")" "0 2"
		unlike "GitHub: no name of the command's is one" "$out" '^::error'
		like "GitHub: the summary" "$(cat "$scratch/summary")" '^### sbx: status 0, 2 denied'
		step false "echo ::error::mine; echo ::stop-commands::x >&2; printf ::; touch $outside/c; true"
		token=$(sed -n '1s/^::stop-commands:://p' <<<"$out")
		is "GitHub: what the command prints is text between a word and the same word" \
			"${#token} $(sed -n "2,/^::$token::\$/p" <<<"$out" | grep -cE '^::(error|stop-commands)::') $(sed "1,/^::$token::\$/d" <<<"$out" | grep -c '^::warning title=sbx::')" "64 2 1"
		isnt "GitHub: ... which is another each time" "$(step false true && sed -n 1p <<<"$out")" "::stop-commands::$token"
		step true "touch $outside/c; true"
		is "GitHub: fail-on-denial" "$status" 1
		step false "touch $outside/c"
		like "GitHub: what failed is an error" "$status $out" '::error title=sbx::'
	fi
fi
finish
