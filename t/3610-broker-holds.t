#!/bin/bash
# Where Landlock denies and the broker grants, no call changes what is
# protected, by no spelling of its name; each of them does without a sandbox.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/container.sh"
need LANDLOCK 3
need NOTIFY
change=$HELPER/change

build_tree() {
	remove "$ws"
	mkdir -p "$ws/own" "$ws/.git/hooks" "$ws/.git/empty" "$ws/sub/deep/.git" "$ws/other"
	echo good >"$ws/.git/config"
	ln "$ws/.git/config" "$ws/alias"
	echo good >"$ws/sub/deep/.git/HEAD"
	mkdir "$ws/sub/deep/.git/objects" "$ws/sub/deep/.git/refs"
	echo "gitdir: ../other" >"$ws/pointed"
	setfattr -n user.there -v x "$ws/.git/config" 2>/dev/null
	echo secret >"$ws/hidden"
	chmod 644 "$ws/.git/config" "$ws/hidden"
}
build_tree
hide=(-c 'permissions.p.extends=":workspace"' -c "permissions.p.filesystem={\"$ws/hidden\" = \"none\"}" -P p)
box=("${docker[@]}" "$SBX/sbx-run" -a never -C "$ws" "${hide[@]}" --)
names=(.git .git/config .git/new .git/hooks .git/empty .codex .codex/config.toml .agents
	sub/deep/.git sub/deep/.git/HEAD sub/deep sub hidden)

boxed sh -c 'echo x >own/made && mkdir own/d && mv own/made own/d'
ok "ordinary things are done" test -s "$ws/own/d/made"
# What is protected is what must stay; "own" is the command's.
kept() { state "$ws/.git" "$ws/sub/deep/.git" "$ws/.codex" "$ws/.agents" "$ws/hidden"; }
for name in "${names[@]}"; do
	before=$(kept)
	boxed "$change" "$ws/own" "$ws/$name"
	is "$name: the command ran" "$status" 0
	# Directories on the way to something protected are the command's but for their names.
	case $name in
	sub*deep | sub) unlike "$name: stays where it is" "$out" 'rename|remove|parent' ;;
	*) is "$name: no call succeeds" "$out" "" ;;
	esac
	is "$name: nothing has changed" "$(kept)" "$before"
	if [ "$(kept)" != "$before" ]; then build_tree; fi
done
# Another name of a protected file is the command's, what is in the file is not.
before=$(state "$ws/.git")
boxed "$change" "$ws/own" "$ws/alias"
is "a hard link that was there: only the name itself can be moved" \
	"$(grep -v '^rename' <<<"$out")" ""
boxed sh -c 'exec 3<alias; rm -f alias; echo evil >/proc/self/fd/3; chmod 600 /proc/self/fd/3; true'
is "... and what is protected is as it was" "$(state "$ws/.git" | grep -v '^config|f|')" \
	"$(grep -v '^config|f|' <<<"$before")"
is "... in mode and content too" "$(stat -c %a "$ws/.git/config") $(cat "$ws/.git/config")" "644 good"
boxed sh -c 'echo x >own/a; ln own/a own/b; exec 3<own/a; rm own/a; echo y >/proc/self/fd/3; cat own/b'
is "control: a file of one's own can be changed after one of its names is gone" "$out" y

boxed cat hidden
is "what is hidden is not read" "$out" ""
boxed sh -c 'cat own/../hidden /proc/self/cwd/hidden; ln hidden own/h; cat own/h; exec 3<hidden; cat <&3; cp hidden own/h2'
is "... by no other way" "$out" ""
boxed sh -c 'cat .git/config; ls -d own; echo x >own/new; cat own/new'
is "control: what is beside it is" "$out" "$(printf 'good\nown\nx')"

# Who opens it is asked whether he may look into a process, and the broker may look into
# those outside: it opens nothing of them, whatever the policy says of files.
LEAK=secret sleep 600 &
other=$!
kill_later "$other"
all=(-c 'permissions.all.filesystem={":root"="write"}' -P all)
within=(-c 'permissions.p.extends=":workspace"' -c 'permissions.p.filesystem={"/proc/kcore"="none"}' -P p)
try_other='p=$(cat pid); for f in environ maps mem; do (exec 3</proc/$p/$f) 2>/dev/null && echo $f; done
	(exec 3<>/proc/$p/mem) 2>/dev/null && echo write; (exec 3<>/proc/self/mem) 2>/dev/null && echo own'
echo "$other" >"$ws/pid"
unboxed sh -c "$try_other"
is "control: without a sandbox its memory is opened" "$(xargs <<<"$out")" "environ maps mem write own"
if [ "$EUID" != 0 ]; then # for root the machine's switches could be written, so that nothing runs
	run "${docker[@]}" "$SBX/sbx-run" -a never -C "$ws" "${all[@]}" -- sh -c "$try_other"
	is "the memory of a process outside is not, where every file can be written" "$out" own
fi
rm "$ws/pid"
"${docker[@]}" "$SBX/sbx-run" -a never --report off -C "$ws" "${within[@]}" -- \
	sh -c ": >started; until [ -s pid ]; do sleep 0.02; done; $try_other" >"$scratch/of-other" 2>&1 &
eventually 20 [ -e "$ws/started" ]
LEAK=secret sleep 600 &
kill_later "$!"
echo "$!" >"$ws/.pid" && mv "$ws/.pid" "$ws/pid"
wait %?started
is "... nor where something in /proc is hidden" "$(cat "$scratch/of-other")" ""

# Each call is one that does something, for somebody who may.
for call in $("$change" list); do
	done=
	for name in .git/config .git/new .git/empty; do
		build_tree
		before=$(kept)
		"$change" "$ws/own" "$ws/$name" "$call" >/dev/null 2>&1
		[ "$(kept)" = "$before" ] || done=1
		[ -z "$done" ] || break
	done
	case $call in
	owner_* | open_handle | flags_fd | attribute_* | times_now | times_fd_now | open_temporary | mode_newer | bind_socket)
		# Not for everybody, not on every file system, or of no effect that is seen here.
		[ -n "$done" ] || note "no control for this user here: $call"
		;;
	*) is "control: $call" "$done" 1 ;;
	esac
done
finish
