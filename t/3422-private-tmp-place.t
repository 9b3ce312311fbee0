#!/bin/bash
# The place of the private directories: nobody squats it, strangers do not see
# it, what is stale is removed whatever is in it, and what is in use is not.
. "${0%/*}/lib/lib.sh"
need USERNS
unshare -rm true 2>/dev/null || skip_all "mounts of its own are needed to stand in for /tmp"

# A /tmp of the test's own, so that names in it can be taken and aged: as root by
# mounts alone, as a user in a namespace in which this user stays who it is.
uid=$(id -u)
stand=$scratch/stand
mkdir -m 1777 "$stand"
chmod 1777 "$stand"
cat >"$scratch/with" <<'END'
#!/bin/bash
mount --bind "$1" /tmp || exit 99
shift
if [ "$1" = 0 ]; then shift; exec "$@"; fi
uid=$1
shift
exec unshare -U --map-user="$uid" --map-group="$uid" -- "$@"
END
chmod +x "$scratch/with"
by=(unshare -rm --propagation private "$scratch/with" "$stand" "$uid")
! have ROOT || by=(unshare -m --propagation private "$scratch/with" "$stand" 0)
with() { "${by[@]}" "$@"; }
private() { run with "$SBX/sbx-run" -s workspace-write -a never -C "${ws_of:-$ws}" -- "$@"; }
private true
[ "$status" = 0 ] || skip_all "a sandbox in a namespace of its own: $err"
place=$stand/.sbx-$uid

private sh -c 'echo mine >/tmp/x'
is "the place is made in /tmp" "$(ls -A "$stand")" ".sbx-$uid"
is "with nothing in it but one directory and a mark" "$(find "$place" -mindepth 1 -maxdepth 1 -printf "%f\n" | sed "s/^[0-9a-f]\{16\}-0\$/DIGEST/" | sort)" $'DIGEST\nswept'
home=$(echo "$place"/*-0)
is "which says whose it is" "$(readlink "$home/workspace")" "$ws"

# A digest that two workspaces share.
mkdir "$scratch/second"
ln -sfn "$scratch/second" "$home/workspace"
private sh -c 'cat /tmp/x; echo other >/tmp/x'
is "a directory of the same digest that is another's is not used" "$out" ""
is "... but the next one" "$(cat "$place"/*-1/tmp/x)" other
rm -rf "$place"/*-1
ln -sfn "$ws" "$home/workspace"

# Squatters.
squat() {
	rm -rf "$stand"/.sbx-*
	eval "$2"
	before=$(state "$stand/.sbx-$uid")
	private sh -c 'echo one >/tmp/x'
	private cat /tmp/x
	is "$1 at its name stops nobody" "$status $out" "0 one"
	is "... and is left alone" "$(state "$stand/.sbx-$uid")" "$before"
	is "... another one is used, and found again" "$(find "$stand" -maxdepth 1 -name ".sbx-$uid-*" -user "$uid" | wc -l)" 1
}
squat "a file" ': >"$place"'
squat "a link" 'ln -s "$outside" "$place"'
ok "... which is not followed" test -z "$(ls "$outside")"
squat "a directory that others can write" 'mkdir "$place"; chmod 777 "$place"'
if have ROOT; then
	squat "a stranger's directory" 'mkdir -m 700 "$place"; chown 1234 "$place"'
	squat "a stranger's second one" 'mkdir -m 700 "$place" "$place-0"; chown 1234 "$place" "$place-0"'
	rm -rf "$stand"/.sbx-*
	# Two users: root's is closed to the other.
	private sh -c 'echo root >/tmp/x'
	home=$(echo "$place"/*-0)
	not_ok "another user does not see it" setpriv --reuid 65534 --regid 65534 --clear-groups cat "$home/tmp/x"
	# The checkout may lie where only root can go.
	chmod 755 "$scratch"
	chmod 1777 "$ws"
	mkdir "$scratch/bin"
	cp "$SBX"/sbx-* "$scratch/bin/"
	run unshare -m --propagation private sh -c "mount --bind $stand /tmp && exec setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent '$scratch/bin/sbx-run' -s workspace-write -a never -C '$ws' -- sh -c 'cat /tmp/x; id -u; ls -A /tmp'"
	is "and has one of their own in the same workspace" "$out" 65534
fi
rm -rf "$stand"/.sbx-*

# What is stale.
age() { touch -d '8 days ago' "$1"; rm -f "$place/swept"; }
# A second workspace, whose command has left everything that could be in the way.
mkdir "$outside/kept"
echo precious >"$outside/kept/file"
ws_of=$scratch/second
private sh -c "ln -s $outside/kept /tmp/link; ln -s / /tmp/root; mkfifo /tmp/pipe; mkdir -p /tmp/closed/in/er; : >/tmp/closed/in/er/f; chmod 0 /tmp/closed/in /tmp/closed; mkdir /tmp/ro; : >/tmp/ro/f; chmod 555 /tmp/ro; cd /tmp; i=0; while [ \$i -lt 300 ]; do mkdir dddddddddddddddddddd && cd dddddddddddddddddddd || exit; i=\$((i + 1)); done; : >bottom"
ws_of=
old=$(echo "$place"/*-0)
private sh -c 'echo fresh >/tmp/x'
fresh=$(for d in "$place"/*-0; do [ "$d" = "$old" ] || echo "$d"; done)
private true
ok "one that was used this week stays" test -d "$old/tmp/closed"
mkdir "$scratch/third"
ws_of=$scratch/third
private sh -c ': >/tmp/third'
ws_of=
third=$(dirname "$(dirname "$(echo "$place"/*/tmp/third)")")
rmdir "$scratch/third"
rm -f "$place/swept"
private true
ok "one whose workspace is gone stays for a day" test -d "$third"
touch -d '2 days ago' "$third" "$old"
rm -f "$place/swept"
private true
ok "... and is then removed" absent "$third"
ok "... unlike one whose workspace is there" test -d "$old"
age "$fresh"
age "$old"
private cat /tmp/x
is "one that is used again is not stale" "$out" fresh
eventually 5 eval 'private true; rm -f "$place/swept"; [ ! -d "$old" ] && [ -z "$(find "$place" -maxdepth 1 -name "gone-*")" ]'
ok "one that nobody used for a week is removed" absent "$old"
is "... with all that was in it" "$(find "$place" -name "gone-*")" ""
is "... and nothing that it pointed to" "$(cat "$outside/kept/file")" precious
# One that is in use.
ws_of=$scratch/second
"${by[@]}" "$SBX/sbx-run" -s workspace-write -a never -C "$scratch/second" -- sh -c ': >/tmp/up; sleep 60' &
kill_later $!
ws_of=
eventually 10 eval '[ -e "$old/tmp/up" ]'
age "$old"
private true
ok "one that a run holds is not removed, however old" test -e "$old/tmp/up"
age "$old"
touch "$place/swept"
private true
ok "it is looked for once a day" test -d "$old"

# Killed in the middle.
"${by[@]}" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- sh -c ': >/tmp/going; sleep 61' &
pid=$!
disown
eventually 10 eval '[ -e "$fresh/tmp/going" ]'
kill -KILL "$pid"
is "a SIGKILL leaves nothing else in /tmp" "$(ls -A "$stand")" ".sbx-$uid"
private cat /tmp/x
is "... and the next run works" "$out" fresh

# Where there is no room for one.
run with sh -c "mount -o remount,bind,ro /tmp 2>/dev/null || mount --bind -o ro $stand /tmp; exec '$SBX/sbx-run' -s workspace-write -a never -C '$ws' -- touch '$ws/ran'"
if absent "$ws/ran"; then
	like "a /tmp that cannot be written: nothing runs, in one line" "$status $err" '^125 sbx-(run|linux-sandbox): "/tmp/.sbx-[0-9]+": no private directory .*--tmp shared'
else
	skip "a /tmp that cannot be written" "it cannot be made read-only here"
fi
finish
