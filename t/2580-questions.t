#!/bin/bash
# --explain, --test and --diff: what a policy means, for a person and for CI.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"

P=("$SBX/sbx-policy" -C "$ws")
mkdir -p "$ws/src" "$HOME/.ssh"
config 'approval_policy = "never"' '[features]' 'x = true' '[permissions.p]' 'extends = ":workspace"' 'network = "loopback"' \
	'[permissions.p.filesystem]' '"~/.ssh" = "none"'

# --explain
run "${P[@]}" --explain
like "the source of a line" "$out" "^approval +never +$user:1$"
like "trust" "$out" '^trust +unknown +default$'
like "features" "$out" "^  x +true +$user:3$"
run "${P[@]}" -P p --explain
like "a set by name" "$out" '^permissions +p +flag --permissions$'
like "an entry of it" "$out" "$HOME/.ssh +none +$user:8$"
unlike "no colours in a pipe" "$out" $'\033'
if have PROGRAM script; then
	run script -qec "$(quoted "${P[@]}" --explain)" /dev/null
	like "colours on a terminal" "$out" $'\033'
	run env NO_COLOR=1 script -qec "$(quoted "${P[@]}" --explain)" /dev/null
	unlike "NO_COLOR" "$out" $'\033'
fi
mkdir "$ws/"$'e\033[2Jvil'
run "$SBX/sbx-policy" -C "$ws/"$'e\033[2Jvil' -s workspace-write --explain
unlike "attacker's text is cleaned" "$out" $'\033'

# --test
assertions() { printf '%s\n' "$@" >"$scratch/a"; }
assertions '# what we believe' '' 'allow write src/x' "deny write $outside/x" 'deny read ~/.ssh/id' '  deny   connect   *  ' \
	'deny write .git/hooks/pre-commit' 'allow read /etc/passwd' "allow write src/with  blanks"
run "${P[@]}" -P p --network off --test "$scratch/a"
is "all hold" "$status $out$err" "0 "
assertions 'deny write src/x' 'allow read ~/.ssh/id' 'allow connect example.org' 'allow read /etc/passwd' 'deny connect *'
run "${P[@]}" -P p --test "$scratch/a"
is "some fail: exit" "$status" 1
is "... these" "$out" "$scratch/a:1: deny write src/x: \"$ws\" is write
$scratch/a:2: allow read ~/.ssh/id: \"$HOME/.ssh\" is none
$scratch/a:3: allow connect example.org: the network is loopback
$scratch/a:5: deny connect *: the network is loopback"
# connects NETWORK ASSERTION WANTED-EXIT
connects() {
	assertions "$2"
	run "${P[@]}" -s workspace-write --network "$1" --test "$scratch/a"
	is "$1: $2" "$status" "$3"
}
connects on 'allow connect *' 0
connects on 'deny connect example.org' 1
connects loopback 'allow connect localhost' 0
connects loopback 'deny connect example.org' 0
connects loopback 'deny connect 127.0.0.1' 1
connects loopback 'deny connect *' 1
assertions 'deny connect *' 'deny connect example.org' 'allow connect localhost'
run "${P[@]}" -s workspace-write --test "$scratch/a"
is "nothing said: nobody outside" "$status$out" 0
connects off 'deny connect localhost' 0
connects off 'allow connect *' 1
for bad in 'permit write x' 'allow execute x' 'allow write' 'allow' 'deny  '; do
	assertions "$bad"
	run "${P[@]}" --test "$scratch/a"
	like "not an assertion: $bad" "$status $err" "^3 .*$scratch/a:1: expected"
done
assertions '# nothing'
run "${P[@]}" --test "$scratch/a"
is "no assertions: an error" "$status" 3
run "${P[@]}" --test "$scratch/none"
is "no file: an error" "$status" 3
run bash -c 'echo "allow read /" | "$@" --test -' sh "${P[@]}"
is "from stdin" "$status" 0
run "${P[@]}" -p none --test "$scratch/a"
is "a policy that cannot be had" "$status" 3

# --diff
run "${P[@]}" --diff :read-only :workspace
is "two names: exit" "$status" 1
like "... a root" "$out" "^$ws +read -> write$"
unlike "... not what follows from it" "$out" "$ws/.git"
run "${P[@]}" --diff :workspace p
is "rights, not lines" "$out" "$(printf '%-48s %s' "$HOME/.ssh" 'read -> none')"
run "${P[@]}" --diff read-only read-only
is "the same: exit and silence" "$status$out" 0
"${P[@]}" -s workspace-write -- true >"$scratch/one.json"
"${P[@]}" -s workspace-write --add-dir "$outside" -- true >"$scratch/two.json"
run "$SBX/sbx-policy" --diff "$scratch/one.json" "$scratch/two.json"
is "two documents" "$status $out" "1 $(printf '%-48s %s' "$outside" 'read -> write')"
run "$SBX/sbx-policy" --diff "$scratch/two.json" "$scratch/two.json"
is "a document and itself" "$status$out" 0
config '[profiles.q]' 'sandbox_mode = "workspace-write"' 'approval_policy = "untrusted"'
run "${P[@]}" --diff profile:q
like "a profile and what is" "$out" '^approval +untrusted -> on-request$'
run "${P[@]}" --diff "$scratch/a" p
is "not a document" "$status" 3
run "${P[@]}" --diff
is "nothing to compare" "$status" 2
run "${P[@]}" --diff :nonsense
is "no such set" "$status" 3
finish
