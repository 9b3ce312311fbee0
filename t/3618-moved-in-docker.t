#!/bin/bash
# In a container of Docker's kind nothing is mounted, and the broker goes by
# names: what somebody outside renames while a command runs, itself or with a
# directory above it, is not the command's by its new name.  The run is ended
# when it tries.  What is replaced at its own name is held as before.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/container.sh"
need PROGRAM git
need LANDLOCK 3
need NOTIFY

build_tree() {
	remove "$ws"
	mkdir -p "$ws/sub/deep" "$ws/own"
	git init -q "$ws"
	git init -q "$ws/sub/deep"
	echo secret >"$ws/hidden"
}
hide=(-c 'permissions.p.extends=":workspace"' -c "permissions.p.filesystem={\"$ws/hidden\" = \"none\"}" -P p)
# during OUTSIDE INSIDE [OPTION...]: INSIDE runs when OUTSIDE has, which waits for the command
during() {
	local outside=$1 inside=$2
	shift 2
	rm -f "$ws/own/ready" "$ws/own/go" "$ws/own/done"
	"${docker[@]}" "$SBX/sbx-run" -a never --report off -C "$ws" "$@" -- \
		sh -c ": >own/ready; until [ -e own/go ]; do sleep 0.02; done; $inside; : >own/done" \
		>"$scratch/during" 2>&1 &
	if eventually 20 [ -e "$ws/own/ready" ]; then (cd "$ws" && eval "$outside"); fi
	: >"$ws/own/go"
	wait $!
	status=$?
}
write=(-s workspace-write)

# moves WHAT OUTSIDE FILE: by its new name the file is not written
moves() {
	local before
	build_tree
	during "$2" "echo evil >>$3" "${write[@]}"
	is "$1: the run is ended" "$status $(ls "$ws/own/done" 2>/dev/null)" "125 "
	like "... with a line that names it" "$(cat "$scratch/during")" 'was renamed outside during the run.*ended'
	unlike "... and nothing is written" "$(cat "$ws/$3")" evil
	build_tree
	(cd "$ws" && eval "$2")
	before=$(cat "$ws/$3")
	(cd "$ws" && echo evil >>"$3")
	isnt "control: without a sandbox it is" "$(cat "$ws/$3")" "$before"
}
moves "a directory with a repository" 'mv sub sub2' sub2/deep/.git/config
moves "one above it" 'mv sub/deep own/deep' own/deep/.git/config
moves "the repository's own" 'mv .git git' git/config

for call in 'chmod 777 sub2/deep/.git/config' 'mv sub2/deep/.git/config own/taken' 'rm sub2/deep/.git/config' \
	'ln sub2/deep/.git/config own/taken' ': >sub2/deep/.git/hooks/pre-commit'; do
	build_tree
	before=$(state "$ws/sub/deep/.git")
	during 'mv sub sub2' "$call" "${write[@]}"
	is "$call: nothing has changed" "$status $(state "$ws/sub2/deep/.git")" "125 $before"
done

build_tree
during 'mv hidden seen' 'cat seen; cat <seen' "${hide[@]}"
unlike "what is hidden is not read by its new name" "$(cat "$scratch/during")" secret
build_tree
during 'ln hidden hidden~; echo new >n; mv n hidden' 'cat hidden hidden~' "${hide[@]}"
unlike "nor is a copy that an editor has kept, or the new one" "$(cat "$scratch/during")" 'secret|new'

# What is replaced at its name, or goes for good, is nobody's loss.
build_tree
during 'git config user.name x; rm -rf sub; mv own/ready r' 'echo evil >>.git/config; mkdir .codex; echo y >own/y' "${write[@]}"
is "what git does outside ends nothing" "$status $(cat "$ws/own/y") $(ls -d "$ws/.codex" 2>/dev/null)" "0 y "
unlike "... and its file is not written" "$(cat "$ws/.git/config")" evil

# A descriptor that nothing refuses outlasts the name: what is replaced outside is still
# hidden from the command, and may still be open to a program there.
have PROGRAM python3 || finish
cat >"$scratch/again.py" <<'P'
import os, sys, time
kept = {name: os.open(name, os.O_PATH) for name in sys.argv[1:]}
open("own/ready", "w").close()
while not os.path.exists("own/go"): time.sleep(0.02)
for name, fd in kept.items():
    for mode in "r", "w":
        try:
            with open("/proc/self/fd/%d" % fd, mode) as again:
                print(name, again.read().strip() if mode == "r" else again.write("evil"))
        except OSError as error: print(name, mode, error.strerror)
P
replace='for f in hidden dir/hidden ../outside/f own/f; do echo new >n; mv n $f; done; rm dir/gone'
# again PROGRAM...: runs the script, and prints what a program outside then has in its open file
again() {
	build_tree
	mkdir "$ws/dir"
	echo secret | tee "$ws/dir/hidden" "$ws/dir/gone" "$ws/own/f" >/dev/null
	echo good >"$outside/f"
	exec 7<"$outside/f"
	rm -f "$ws/own/ready" "$ws/own/go"
	(cd "$ws" && exec "$@" python3 "$scratch/again.py" hidden dir/hidden dir/gone ../outside/f own/f) \
		>"$scratch/during" 2>&1 &
	if eventually 20 [ -e "$ws/own/ready" ]; then (cd "$ws" && eval "$replace"); fi
	: >"$ws/own/go"
	wait $!
	cat <&7
	exec 7<&-
}
is "control: a file that was replaced is written by its descriptor" "$(again)" evil
like "control: ... and read" "$(cat "$scratch/during")" '^dir/hidden secret'
hide=(-c 'permissions.p.extends=":workspace"' -P p
	-c "permissions.p.filesystem={\"$ws/hidden\" = \"none\", \"$ws/dir\" = \"none\"}")
is "what a program outside has open is not written" \
	"$(again "${docker[@]}" "$SBX/sbx-run" -a never --report off -C "$ws" "${hide[@]}" --)" good
unlike "what is hidden is not read" "$(grep -v ^own "$scratch/during")" 'secret|evil|[0-9]'
like "control: a file of one's own is both" "$(tr '\n' ' ' <"$scratch/during")" 'own/f secret own/f 4'
finish
