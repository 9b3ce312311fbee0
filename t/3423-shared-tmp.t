#!/bin/bash
# --tmp shared gives the host's /tmp, without the sockets, directories of
# sockets and temporaries of others in it; and what variables name is kept in
# every writable root.
. "${0%/*}/lib/lib.sh"
need USERNS
quiet
in_tmp
uid=$(id -u)
place=/tmp/.sbx-$uid
name=${tmp##*/}
set_box --tmp shared
tmpdirs+=("/tmp/$name-new" "/tmp/$name-file" "/tmp/$name-link" "/tmp/$name-sock" "/tmp/$name-dir")

allowed "a new file in the host's /tmp" "/tmp/$name-new" -- sh -c "echo x >/tmp/$name-new"
echo old >"/tmp/$name-file"
ln -s "$name-file" "/tmp/$name-link"
mkdir "/tmp/$name-dir"
echo old >"/tmp/$name-dir/file"
denied "a temporary of another program is not changed" "/tmp/$name-file" -- sh -c "echo hostile >/tmp/$name-file"
denied "nor replaced" "/tmp/$name-file" -- sh -c "echo x >/tmp/$name-new; mv -f /tmp/$name-new /tmp/$name-file"
denied "nor is a directory of one" "/tmp/$name-dir" -- sh -c "rm -rf /tmp/$name-dir; mkdir /tmp/$name-dir; : >/tmp/$name-dir/hostile"
denied "nor a link turned" "/tmp/$name-link" -- ln -sfn "$outside" "/tmp/$name-link"
rm -f "/tmp/$name-new"
boxed cat "/tmp/$name-file"
is "all of which can be read" "$out" old

# Its owner removes or replaces a temporary whenever it likes, also while a run begins.
mkdir "$ws/go"
"${box[@]}" sh -c 'touch go/on; while [ ! -e go/off ]; do sleep 0.02; done; echo done' >"$scratch/went" 2>&1 &
runner=$!
eventually 10 test -e "$ws/go/on"
rm -f "/tmp/$name-file" "/tmp/$name-link"
mv "/tmp/$name-dir" "/tmp/$name-new"
sleep 0.5
touch "$ws/go/off"
wait "$runner"
is "a temporary of others that vanishes does not end the run" "$?$(cat "$scratch/went")" 0done
mv "/tmp/$name-new" "/tmp/$name-dir"
rm -rf "$ws/go"
(for ((i = 0; ; i++)); do
	: >"/tmp/$name-file"
	: >"/tmp/$name-file-$i"
	mkdir -p "/tmp/$name-directory-$i/.git"
	rm -f "/tmp/$name-file" "/tmp/$name-file-$i"
	rm -r "/tmp/$name-directory-$i"
done) &
churn=$!
kill_later "$churn"
begun=0
for _ in 1 2 3 4 5 6 7 8; do
	boxed true
	[ "$status" != 0 ] || begun=$((begun + 1))
done
kill "$churn" 2>/dev/null
wait "$churn" 2>/dev/null
is "nor keep one from beginning" "$begun" 8
ok "... and nothing of ours takes its place" sh -c "! test -d '/tmp/$name-file'"
# The last ones may be its own, which was ended.
left=("/tmp/$name-file-"* "/tmp/$name-directory-"*)
is "... or is left there" "$((${#left[@]} <= 3))" 1
rm -rf "${left[@]}"

# Sockets.
listen "unix-stream:/tmp/$name-sock" "unix-stream:/tmp/$name-dir/sock"
denied "a socket in /tmp is not removed" "/tmp/$name-sock" -- rm -f "/tmp/$name-sock"
denied "nor replaced" "/tmp/$name-sock" -- sh -c "mkfifo /tmp/$name-new; mv -f /tmp/$name-new /tmp/$name-sock"
denied "nor in a directory there" "/tmp/$name-dir" -- sh -c "rm -rf /tmp/$name-dir; mkdir /tmp/$name-dir"
if have PROGRAM ssh-agent && have PROGRAM ssh-add; then
	mkdir -m 700 "/tmp/$name-dir/a"
	eval "$(ssh-agent -s -a "/tmp/$name-dir/a/s")" >/dev/null
	kill_later "$SSH_AGENT_PID"
	denied "an agent's socket is not replaced" "$SSH_AUTH_SOCK" -- sh -c "rm -f $SSH_AUTH_SOCK; : >$SSH_AUTH_SOCK"
	unset SSH_AUTH_SOCK SSH_AGENT_PID
fi
if absent "/tmp/tmux-$uid"; then
	boxed sh -c "mkdir -p /tmp/tmux-$uid && : >/tmp/tmux-$uid/default"
	ok "the usual place of a multiplexer is not made first" absent "/tmp/tmux-$uid/default"
	rm -rf "/tmp/tmux-$uid"
else
	denied "the usual place of a multiplexer is kept" "/tmp/tmux-$uid" -- touch "/tmp/tmux-$uid/x"
fi
if have NAMESPACES; then
	boxed sh -c "ls $place"
	is "the place of the private ones is hidden" "$out" ""
fi
boxed sh -c "mv $place $place-x; mkdir $place/x"
is "... and stays where it is" "$(ls -d "$place"-x "$place/x" 2>/dev/null)" ""
ok "... and kept" absent "$place/x"

# What variables name, in any root.
mkdir "$ws/run" "$ws/run/in"
: >"$ws/run/s"
: >"$ws/run/in/s"
# named VARIABLE VALUE PATH
named() {
	export "$1=$2"
	denied "\$$1" "$3" -- sh -c "rm -rf $3; mkdir -p ${3%/*}; echo hostile >$3"
	denied "\$$1: the directories above it" "$ws/run" -- mv "$ws/run" "$ws/away"
	rm -rf "$ws/away"
	unset "$1"
}
set_box
named SSH_AUTH_SOCK "$ws/run/s" "$ws/run/s"
named TMUX "$ws/run/in/s,123,0" "$ws/run/in/s"
named DBUS_SESSION_BUS_ADDRESS "unix:path=$ws/run/in/s,guid=0123" "$ws/run/in/s"
named WAYLAND_DISPLAY "$ws/run/s" "$ws/run/s"
named XDG_RUNTIME_DIR "$ws/run" "$ws/run/s"
named KRB5CCNAME "FILE:$ws/run/s" "$ws/run/s"
named VSCODE_IPC_HOOK_CLI "$ws/run/in/s" "$ws/run/in/s"
named SESSION_MANAGER "local/host:@$ws/run/in/s,unix/host:$ws/run/s" "$ws/run/s"
named DOCKER_HOST "unix://$ws/run/in/s" "$ws/run/in/s"
named GPG_AGENT_INFO "$ws/run/s:12:1" "$ws/run/s"
named XAUTHORITY "$ws/run/s" "$ws/run/s"
named SCREENDIR "$ws/run/in" "$ws/run/in/s"
mkdir "$ws/run/tmux-$uid"
named TMUX_TMPDIR "$ws/run" "$ws/run/tmux-$uid/default"
export SSH_AUTH_SOCK=$ws/gone/s
denied "\$SSH_AUTH_SOCK that is not there" "$ws/gone/s" -- sh -c "mkdir -p $ws/gone; echo hostile >$ws/gone/s"
unset SSH_AUTH_SOCK
export XDG_RUNTIME_DIR=$outside WAYLAND_DISPLAY=wayland-0 SSH_AUTH_SOCK=relative TMUX=,, DBUS_SESSION_BUS_ADDRESS='unix:abstract=/x;;' KRB5CCNAME=KCM: DISPLAY=:0
boxed true
is "values that name no place stop nobody" "$status$err" 0
unset XDG_RUNTIME_DIR WAYLAND_DISPLAY TMUX DBUS_SESSION_BUS_ADDRESS KRB5CCNAME DISPLAY
SSH_AUTH_SOCK=$ws boxed touch "$ws/still"
ok "nor does one that names a root" test -e "$ws/still"
unset SSH_AUTH_SOCK

# Who may say so.
. "$TESTS/lib/policy.sh"
policy_ww --tmp shared
is "the policy says so" "$(ask '.policy | [.tmp, .sources.tmp]')" '["shared","flag --tmp"]'
policy_ww -c 'sbx.tmp="shared"'
is "-c" "$(ask .policy.tmp)" shared
export HOME=$scratch/home
mkdir -p "$HOME/.codex" "$ws/.codex"
printf '[projects."%s"]\ntrust_level = "trusted"\n' "$ws" >"$HOME/.codex/config.toml"
printf '[sbx]\ntmp = "shared"\n' >"$ws/.codex/config.toml"
policy_ww
is "a project cannot say it" "$(ask .policy.tmp)" private
like "... and is told" "$err" 'sbx.tmp.*a project cannot set this'
rm "$ws/.codex/config.toml"
printf '[sbx]\ntmp = "shared"\n' >>"$HOME/.codex/config.toml"
policy_ww
is "the user's file can" "$(ask .policy.tmp)" shared
policy_ww --tmp private
is "a flag decides" "$(ask .policy.tmp)" private
policy -s danger-full-access --tmp private
is "a private one needs a sandbox" "$status" 2
finish
