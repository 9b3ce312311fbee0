#!/bin/bash
# --check-path judges the real target, one verdict a line.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"

check() { run "$SBX/sbx-policy" -C "$ws" -s workspace-write --check-path "$@"; }
# verdict ACCESS PATH WANTED
verdict() {
	check "$1" -- "$2"
	is "$1 ${2#"$scratch/"}: $3" "$(ask .allowed)$status" "$3$([ "$3" = true ] && echo 0 || echo 1)"
}
mkdir -p "$ws/sub" "$ws/.git/hooks" "$scratch/wsx"
ln -s "$outside" "$ws/out"
ln -s "$outside/none" "$ws/dangling"
ln -s .git "$ws/alias"
ln -s "$ws/sub" "$outside/in"
ln -s loop "$ws/loop"

verdict write "$ws/file" true
verdict write sub/file true
verdict write ./sub/../file true
verdict write missing/deep/file true
verdict read /etc/passwd true
verdict write /etc/passwd false
verdict write "$outside/x" false
verdict write "$scratch/wsx/file" false
verdict write out/x false
verdict write out false
verdict write dangling false
verdict write ../outside/x false
verdict write out/../x false
verdict write "$outside/in/x" true
verdict write .git false
verdict write .git/hooks/pre-commit false
verdict write alias/hooks/x false
verdict read .git/config true
verdict write .codex/config.toml false
verdict write loop false
verdict write '' false
verdict write missing/../../outside/x false
verdict write /proc/self/cwd/x false
# Not there yet, or not seen by the walk: a repository all the same.
verdict write sub/deep/.git/config false
verdict write sub/.gitignore true

check write a out/x
is "one line each, in order" "$(jq -sc '[.[] | [.path,.allowed]]' "$scratch/.out")" '[["a",true],["out/x",false]]'
is "one denied: exit" "$status" 1
check write .git/x
is "the line" "$out" \
	"{\"path\":\".git/x\",\"access\":\"write\",\"allowed\":false,\"entry\":{\"path\":\"$ws/.git\",\"access\":\"read\"},\"real\":\"$ws/.git/x\"}"
run "$SBX/sbx-policy" -C "$ws" --check-path write x
is "read-only: nothing is writable" "$status" 1
run "$SBX/sbx-policy" -C "$ws" -s danger-full-access --check-path write .git/x /etc/x
is "danger-full-access: all is" "$status" 0
run "$SBX/sbx-policy" -C "$ws" -s workspace-write --add-dir "$ws/.git/hooks" --check-path write .git/hooks/x
is "reopened" "$status" 0
run "$SBX/sbx-policy" -C "$ws" -s workspace-write --add-dir "$ws/.git/hooks" --check-path write .git/config
is "and only that" "$status" 1
if have USER; then
	mkdir -p "$ws/closed/x" && chmod 000 "$ws/closed"
	verdict write closed/x/y false
fi
finish
