#!/bin/bash
# /tmp inside is a directory of the workspace's own: nothing of the host's is
# seen or changed by it, the next run finds it again, and nobody else does.
. "${0%/*}/lib/lib.sh"
need USERNS
in_tmp
uid=$(id -u)
place=/tmp/.sbx-$uid

mkdir "$scratch/other"
: >"$tmp/host"
chmod 700 "$tmp"
name=sbx-t-$$-$RANDOM
tmpdirs+=("/tmp/$name" "/tmp/$name-a" "/tmp/$name-n")

denied "a temporary of another program is not changed" "$tmp/host" -- bash -c "echo hostile >$tmp/host"
denied "nor removed" "$tmp" -- rm -rf "$tmp"
boxed cat "$tmp/host"
isnt "a temporary of another program is not seen" "$status" 0
unboxed cat "$tmp/host"
is "control: without the sandbox it is" "$status" 0
boxed sh -c 'ls -A /tmp; stat -c "%a %u" /tmp'
is "at first it is empty, 0700 and the user's own" "$out" "700 $uid"

boxed sh -c "echo kept >/tmp/$name; cat /tmp/$name"
is "it can be written" "$status $out" "0 kept"
ok "nothing of that is in the host's /tmp" absent "/tmp/$name"
boxed cat "/tmp/$name"
is "the next run in the workspace finds it again" "$out" kept
run "$SBX/sbx-run" -s workspace-write -a never -C "$scratch/other" -- cat "/tmp/$name"
isnt "a run in another workspace does not" "$status" 0
run "$SBX/sbx-run" -s read-only -a never -C "$ws" -- ls "$tmp"
is "read-only: the host's is seen as before" "$status $out" "0 host"
run "$SBX/sbx-run" -s read-only -a never -C "$ws" -- touch "$tmp/new"
ok "... and nothing is writable" absent "$tmp/new"
set_box -c sandbox_workspace_write.exclude_slash_tmp=true
boxed sh -c "ls $tmp; touch $tmp/new"
is "excluded: the host's is seen, and not writable" "$out$(ls "$tmp")" hosthost
set_box

is "the place is the user's alone" "$(stat -c '%a %u %F' "$place")" "700 $uid directory"
boxed sh -c "ls $place; ls /tmp/../tmp/.sbx-$uid; cat /proc/1/root$place/swept"
is "it is not seen inside" "$out" ""
boxed sh -c 'cd /tmp/.. && ls -A | grep -c workspace; cd /tmp && mv . ../x 2>&1 | wc -l'
is "and there is no way up to it" "$out" $'0\n1'
boxed mktemp
like "mktemp works" "$status $out" '^0 /tmp/'
boxed sh -c 'ln -s /etc/passwd /tmp/l; mkfifo /tmp/p; cat /tmp/l | head -c 1; rm /tmp/l /tmp/p'
is "links and pipes work in it" "$status" 0
if command -v python3 >/dev/null && have OBSERVER; then
	boxed python3 -c 'import socket; s=socket.socket(socket.AF_UNIX); s.bind("/tmp/s"); s.listen(); c=socket.socket(socket.AF_UNIX); c.connect("/tmp/s"); import os; os.unlink("/tmp/s"); print("ok")'
	is "and so do sockets" "$out" ok
fi

# The host's sockets, with a real agent.
if have PROGRAM ssh-agent && have PROGRAM ssh-add; then
	mkdir -m 700 "$tmp/agent"
	eval "$(ssh-agent -s -a "$tmp/agent/s")" >/dev/null
	kill_later "$SSH_AGENT_PID"
	ssh-keygen -q -t ed25519 -N '' -f "$scratch/key"
	before=$(stat -c %i "$SSH_AUTH_SOCK")
	boxed sh -c "mkdir -p ${SSH_AUTH_SOCK%/*}; rm -f $SSH_AUTH_SOCK; : >$SSH_AUTH_SOCK"
	is "an agent's socket is not replaced" "$(stat -c %i "$SSH_AUTH_SOCK")" "$before"
	ok "... and still takes keys" ssh-add -q "$scratch/key"
	boxed ssh-add -l
	isnt "... and is not reached" "$status" 0
	unset SSH_AUTH_SOCK SSH_AGENT_PID
fi
if have PROGRAM tmux; then
	export TMUX_TMPDIR=$tmp
	unset TMUX
	tmux -f /dev/null new-session -d 'sleep 60'
	kill_later "$(tmux display-message -p '#{pid}')"
	before=$(stat -c %i "$tmp/tmux-$uid/default")
	boxed sh -c "rm -rf $tmp/tmux-$uid; mkdir -p $tmp/tmux-$uid; : >$tmp/tmux-$uid/default"
	is "a terminal multiplexer's socket is not replaced" "$(stat -c %i "$tmp/tmux-$uid/default")" "$before"
	unset TMUX_TMPDIR
fi

# Standard files that the caller opens in the host's /tmp.
echo given >"$tmp/in"
before=$(state "$tmp/in")
"${box[@]}" sh -c 'cat; chmod 777 /proc/self/fd/0; echo x >>/proc/self/fd/0' <"$tmp/in" >"$tmp/out" 2>/dev/null
is "a file to read and one to write can be given" "$(cat "$tmp/out")" given
is "the one to read is not changed" "$(state "$tmp/in")" "$before"
boxed sh -c "mkdir -p /tmp/$name-a/b /tmp/.git /tmp/.codex /tmp/.agents; : >/tmp/$name-a/b/c"
is "protected names in it are no concern of the host's" "$status" 0
ok "and nothing else is left in the host's" absent "/tmp/$name-a"

# Any number at once.
for i in $(seq 30); do
	"$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- sh -c "mkdir -p /tmp/$name-n; echo $i >/tmp/$name-n/$i" &
done
wait
boxed sh -c "cat /tmp/$name-n/* | sort -n | tail -1; ls /tmp/$name-n | wc -l"
is "many that start together have the same one" "$out" $'30\n30'

# What is said of it.
. "$TESTS/lib/policy.sh"
policy_ww
is "the policy says so" "$(ask '.policy | [.tmp, .sources.tmp, .workspace]')" "[\"private\",\"default\",\"$ws\"]"
is "... and needs no carve-outs there" "$(ask '[.policy.permissions.fs[] | select(.path | startswith("/tmp")) | .path]')" '["/tmp"]'
policy -s read-only
is "read-only: it is the host's" "$(ask .policy.tmp)" shared
run "$SBX/sbx-policy" -C "$ws" -s workspace-write --explain
like "--explain says it" "$out" '^tmp +private +default'
run "$SBX/sbx-policy" -C "$ws" -s workspace-write --check-path write /tmp/x
is "--check-path: /tmp is writable" "$status" 0
run "$SBX/sbx-policy" --tmp both -- true
is "another word is wrong usage" "$status" 2
finish
