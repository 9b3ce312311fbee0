#!/bin/bash
# result.denials: what was denied, by which entry, what would allow it, and
# that this is enough.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/denials.sh"
need_observer
mkdir -p "$HOME/.cache/pip" "$HOME/.ssh" "$outside/deep" "$ws/.git/hooks" "$ws/.git/objects" "$ws/.git/refs"
echo 'ref: refs/heads/main' >"$ws/.git/HEAD"
echo x >"$outside/file"
ln -s "$outside" "$ws/link"
mode=workspace-write
try() { run "$SBX/sbx-run" --json -s $mode -a never -C "$ws" "$@"; }
denials() { jq -c ".result.denials | $1" "$scratch/.out"; }

try -- touch "$outside/new"
is "what, where, by which call and program" "$(denials '[.[] | [.op, .path, .syscall, .program]]')" \
	"[[\"create\",\"$outside/new\",\"openat\",\"$(realpath "$(command -v touch)")\"]]"
is "the entry that decided, the grant, the options, the count" "$(denials '.[0] | [.rule, .grant, .allow_with, .count]')" \
	"[{\"path\":\"/\",\"access\":\"read\"},{\"write\":[\"$outside\"]},\"--add-dir $outside\",1]"
is "it is evidence" "$(jq -c '.result | [.denied, .evidence, .exit_code]' "$scratch/.out")" '[true,"observed",1]'
try -- sh -c "touch $outside/new; touch $outside/new; touch $outside/new; exit 0"
is "the same thing again is counted" "$(denials '[.[] | .count]')" '[3]'
is "a command that copes is not denied" "$(jq -c '.result | [.denied, .evidence]' "$scratch/.out")" '[false,"observed"]'
try -- sh -c 'echo "permission denied" >&2; exit 1'
is "words of the command are no evidence" "$(jq -c '.result | [.denied, .evidence, .denials]' "$scratch/.out")" '[false,"none",[]]'
try -- sh -c 'cat missing; rmdir .git/hooks/no; exit 1'
is "what fails by itself is none" "$(denials '[.[].path]')" '[]'

# allow_with: enough, word for word, and for nothing else.
# enough DESCRIPTION WANTED COMMAND...
enough() {
	local what=$1 wanted=$2 options set_options=()
	shift 2
	try "${base[@]}" -- "$@"
	options=$(denials '[.[].allow_with] | unique | join(" ")' | jq -r .)
	is "$what: the options" "$options" "$wanted"
	isnt "$what: denied without them" "$status" 0
	eval "set_options=($options)"
	try "${base[@]}" "${set_options[@]}" -- "$@"
	is "$what: enough" "$status $(denials '[.[].path]')" "0 []"
}
base=()
enough "a directory" "--add-dir $outside" touch "$outside/a"
enough "a file that is there: its directory" "--add-dir $outside" sh -c "echo y >$outside/file"
enough "through a link" "--add-dir $outside" touch "$ws/link/b"
mkdir "$outside/a b'c"
enough "a name to be quoted" "--add-dir '$outside/a b'\\''c'" touch "$outside/a b'c/x"
mkdir "$outside"/$'\x1b\xff'
try -- touch "$outside"/$'\x1b\xff/x'
is "a name that is no text is still one to paste" "$(denials '.[0].allow_with' | jq -r .)" "--add-dir \$'$outside/\\x1b\\xff'"
try -- touch "$HOME/.cache/pip/x"
is "a cache is written, as a copy: nothing is denied" "$status $(denials '[.[].path]') $(ls "$HOME/.cache/pip")" "0 [] "
enough "the repository, by its preset" "--allow git" touch "$ws/.git/index.lock"
enough "hooks, by name" "--add-dir $ws/.git/hooks" touch "$ws/.git/hooks/h"
mode=read-only
enough "the mode" "-s workspace-write" touch "$ws/f"
enough "the mode and more" "-s workspace-write --add-dir $outside" touch "$outside/ro"
enough "the mode and a preset" "-s workspace-write --allow git" touch "$ws/.git/x"
mode=workspace-write
cat >"$scratch/server.py" <<'END'
import socket, sys
s = socket.socket()
s.bind(("127.0.0.1", 0))
END
base=(--network off)
enough "a server of its own" "--network loopback" python3 "$scratch/server.py"
base=()
try -- python3 "$scratch/server.py"
is "... which nobody minds unless it is off" "$status $(denials '[.[].address]')" "0 []"
try -- python3 -c 'import socket; socket.create_connection(("192.0.2.1", 9), 2)'
is "an address elsewhere" "$(denials '.[0] | [.op, .address, .allow_with]')" '["connect","192.0.2.1:9","--network on"]'
listen "unix-stream:$scratch/sock"
connect='import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])'
enough "a socket" "-c 'sandbox_workspace_write.unix_sockets=[\"$scratch/sock\"]'" python3 -c "$connect" "$scratch/sock"

# What no option allows.
own=("$HOME/.codex/config.toml" "$SBX/x")
# To anybody else the root directory is shut without our help.
! have ROOT || own+=(/sbx-t-none)
for path in "${own[@]}"; do
	try -- touch "$path"
	is "nothing allows ${path#"$scratch"}" "$(denials '[.[] | [.grant, .allow_with]] | unique')" '[[null,null]]'
done
try -- "$TRY" io_uring_setup
is "nothing allows a call that no sandbox has" "$(denials '.[0] | [.op, .syscall, .rule, .grant, .allow_with]')" \
	'["call","io_uring_setup",{"seccomp":"io_uring_setup"},null,null]'

# A permission set.
mkdir "$scratch/secret"
echo s >"$scratch/secret/s"
printf '%s\n' '[permissions.x.filesystem]' '":root" = "read"' '":workspace_roots" = "write"' "\"$scratch/secret\" = \"none\"" \
	'[permissions."y z"]' 'extends = "x"' >"$HOME/.codex/config.toml"
with_set() { run "$SBX/sbx-run" --json -a never -C "$ws" "$@"; }
for set in x 'y z'; do
	with_set -P "$set" -- cat "$scratch/secret/s"
	is "set $set: reading is denied" "$(denials '.[0] | [.op, .path, .rule.access]')" "[\"read\",\"$scratch/secret/s\",\"none\"]"
	eval "options=($(denials '.[0].allow_with' | jq -r .))"
	with_set -P "$set" "${options[@]}" -- cat "$scratch/secret/s"
	is "set $set: what is pasted lets it be read" "$status $(jq -r .result.stdout "$scratch/.out")" "0 s"
	with_set -P "$set" -- touch "$outside/in-set"
	eval "options=($(denials '.[0].allow_with' | jq -r .))"
	with_set -P "$set" "${options[@]}" -- touch "$outside/in-set"
	is "set $set: what is pasted is enough" "$status ${options[*]}" "0 --add-dir $outside"
done

# Without an observer.
try -c 'sbx.observe="off"' -- touch "$outside/off"
is "not observed: a guess, and called one" "$(jq -c '.result | [.denied, .evidence, .denials, .unobserved]' "$scratch/.out")" \
	'[true,"heuristic",[],"sbx.observe is off"]'
finish
