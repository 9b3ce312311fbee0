#!/bin/bash
# Variables that turn an allowed program into another one do not reach a
# sandboxed command, unless a person set them on purpose.
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
		"$SBX/sbx-run" -s workspace-write -a never -C "$ws" "$@" -- /usr/bin/env
}
in_box
is "exit" "$status" 0
for name in "${names[@]}"; do
	unlike "dropped: $name" "$out" "^$name="
done
for name in KEPT PYTHONUNBUFFERED GIT_AUTHOR_NAME GOPATH PATH; do
	like "kept: $name" "$out" "^$name="
done
in_box -c 'shell_environment_policy.set={MAKEFLAGS="-j2"}'
like "set on purpose" "$out" '^MAKEFLAGS=-j2$'
unlike "... and only that" "$out" '^GOFLAGS='
config '[shell_environment_policy.set]' 'NODE_OPTIONS = "--max-old-space-size=100"'
in_box
like "set in the user's file" "$out" '^NODE_OPTIONS=--max'
config ''

# An effect, from outside: a script that bash would read first.
echo "touch '$ws/ran'" >"$scratch/rc"
run env BASH_ENV="$scratch/rc" bash -c true
ok "control: bash reads BASH_ENV" test -e "$ws/ran"
rm "$ws/ran"
run env BASH_ENV="$scratch/rc" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- bash -c true
is "inside it is not read" "$status $(exists "$ws/ran" && echo there)" "0 "
# A loader that there is would say what it loads instead.
if LD_TRACE_LOADED_OBJECTS=1 "$SBX/sbx-run" --version | grep -q libc; then
	skip "LD_PRELOAD is not tried" "these programs are not static"
else
	run env LD_PRELOAD="$scratch/none.so" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- bash -c true
	is "LD_PRELOAD is not tried" "$status $err" "0 "
fi

run env "${given[@]}" A_TOKEN=x "$SBX/sbx-policy" -C "$ws" --explain
like "--explain says what was dropped" "$out" 'BASH_ENV +dropped +names code'
like "... and why" "$out" 'A_TOKEN +dropped +default excludes'
run env "${given[@]}" "$SBX/sbx-policy" -C "$ws" -s danger-full-access --explain
unlike "without a sandbox they stay" "$out" 'BASH_ENV +dropped'
run env BASH_ENV=/nowhere "$SBX/sbx-run" -s danger-full-access -a never -C "$ws" -- /usr/bin/env
like "... really" "$out" '^BASH_ENV=/nowhere$'
finish
