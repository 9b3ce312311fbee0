#!/bin/bash
# Variables that name code to load reach a sandboxed command, which is in the sandbox
# whatever it loads, and none of our own programs; they make no command safe.  Names of
# secrets are left out, and said when the command fails.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"
need USERNS

names=(LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT BASH_ENV ENV PROMPT_COMMAND PYTHONSTARTUP PYTHONPATH PERL5OPT RUBYOPT
	NODE_OPTIONS JAVA_TOOL_OPTIONS GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_CONFIG_COUNT GIT_DIR LESSOPEN RUSTC_WRAPPER
	CARGO_TARGET_X86_64_RUNNER GOFLAGS MAKEFLAGS DYLD_INSERT_LIBRARIES GCONV_PATH PHPRC LUA_INIT_5_4)
given=()
for name in "${names[@]}"; do given+=("$name=/nowhere"); done
in_box() {
	run env "${given[@]}" KEPT=1 PYTHONUNBUFFERED=1 GIT_AUTHOR_NAME=n GOPATH=/g \
		"$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- /usr/bin/env
}
in_box
is "exit" "$status" 0
if grep -qa __libc_start_main "$SBX/sbx-linux-sandbox" && ! grep -qa musl "$SBX/sbx-linux-sandbox"; then
	skip_all "a helper with a C library that loads modules gets none of them"
fi
for name in "${names[@]}" KEPT PATH; do
	like "passed on: $name" "$out" "^$name="
done
config '[shell_environment_policy]' 'exclude = ["NODE_*"]'
in_box
unlike "unless somebody excludes it" "$out" '^NODE_OPTIONS='
config '[shell_environment_policy.set]' 'NODE_OPTIONS = "--max-old-space-size=100"'
in_box
like "or sets another" "$out" '^NODE_OPTIONS=--max'
config ''

# An effect, from outside: a script that bash would read first.
echo "touch '$ws/ran'" >"$scratch/rc"
run env BASH_ENV="$scratch/rc" bash -c true
ok "control: bash reads BASH_ENV" test -e "$ws/ran"
rm "$ws/ran"
run env BASH_ENV="$scratch/rc" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- bash -c true
is "inside it is read, in the sandbox" "$status $(exists "$ws/ran" && echo there)" "0 there"
rm -f "$ws/ran"
echo "touch '$outside/ran'" >"$scratch/rc"
run env BASH_ENV="$scratch/rc" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- bash -c true
ok "... which holds it" absent "$outside/ran"
# A loader that there is would say what it loads instead.
if LD_TRACE_LOADED_OBJECTS=1 "$SBX/sbx-run" --version | grep -q libc; then
	skip "LD_PRELOAD is not tried" "these programs are not static"
else
	run env LD_PRELOAD="$scratch/none.so" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- /usr/bin/env
	is "LD_PRELOAD is tried by the command alone" "$status $(grep -c 'none.so.*cannot be preloaded' <<<"$err")" "0 1"
fi

run env "${given[@]}" A_TOKEN=x "$SBX/sbx-policy" -C "$ws" --explain
unlike "--explain calls none of them dropped" "$out" 'BASH_ENV +dropped'
like "but a secret" "$out" 'A_TOKEN +dropped +default excludes'

# Safe is what would run as it is known to.
cd "$ws" || exit 1
is "control: ls is safe" "$("$SBX/sbx-policy" -- ls | "$SBX/sbx-approve" | jq -r .approval.command_class)" safe
is "with code to load it is not" \
	"$("$SBX/sbx-policy" -- ls | LD_PRELOAD=/nowhere.so "$SBX/sbx-approve" 2>/dev/null | jq -r .approval.command_class)" unknown

# Secrets: dropped, said after a failure, kept by name.
secret() { run env A_TOKEN=hush "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --report human "$@"; }
secret -- sh -c 'echo "${A_TOKEN-none}"; exit 3'
is "a secret does not come through" "$status $out" "3 none"
like "a failure says so, and what keeps it" "$err" 'not passed on.*A_TOKEN; keep with: --env A_TOKEN'
secret -- true
unlike "success does not" "$err" A_TOKEN
secret --env A_TOKEN -- sh -c 'echo "${A_TOKEN-none}"; exit 3'
is "--env NAME keeps it" "$status $out" "3 hush"
unlike "... and nothing is said" "$err" 'not passed on'
secret --env A_TOKEN=other --env 'B=with "quotes" = and' -- sh -c 'echo "$A_TOKEN, $B"'
is "--env NAME=VALUE sets it" "$out" 'other, with "quotes" = and'
run env A_TOKEN=hush "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --json -- false
is "the document names it" "$(jq -c .result.dropped_environment <<<"$out")" '["A_TOKEN"]'
unlike "... and not its value" "$(jq -c .result <<<"$out")" hush
run_sbx --env NOT_SET_HERE -- true
like "a variable that is not there is an error" "$status $err" '^125 .*--env NOT_SET_HERE: the variable is not set'
run_sbx --env =x -- true
is "nor is one without a name" "$status" 125
finish
