#!/bin/bash
# No new privileges and no capabilities inside, for root as for a user.
. "${0%/*}/lib/lib.sh"

for network in off loopback on; do
	set_box --network "$network"
	boxed "$TRY" nnp
	like "$network: no new privileges" "$out" '^no_new_privs 1$'
	boxed "$TRY" caps
	is "$network: all five sets are there" "$(grep -c '^Cap' <<<"$out")" 5
	# Without namespaces a user cannot empty the bounding set, which gives nothing by itself.
	have NAMESPACES || have ROOT || out=$(grep -v '^CapBnd' <<<"$out")
	is "$network: and empty" "$(grep '^Cap' <<<"$out" | grep -vc '0000000000000000$')" 0
done
set_box

# A set-uid program of the system gives nothing.
suid=$(find /usr/bin /bin -maxdepth 1 -user root -perm -4001 2>/dev/null | head -n 1)
if [ -n "$suid" ] && have USER; then
	boxed sh -c 'grep -h Uid /proc/self/status; find "$1" -perm -4000' - "$suid"
	boxed "$TRY" setuid 0
	like "setuid(0) fails" "$out" '^setuid E'
else
	note "nothing to try: no set-uid program, or root"
fi
# Files of another owner stay out of reach, also for a caller that is root.
if have ROOT; then
	echo x >"$ws/theirs"
	chown 12345 "$ws/theirs"
	chmod 600 "$ws/theirs"
	unboxed "$TRY" read "$ws/theirs"
	is "control: root reads another's file without the sandbox" "$out" "read ok"
	boxed "$TRY" read "$ws/theirs"
	like "inside it does not" "$out" '^read EACCES'
fi
# Installed set-user-id by mistake, our programs refuse to run.
if have ROOT && setpriv --reuid 1000 --regid 1000 --clear-groups true 2>/dev/null; then
	mkdir "$scratch/setuid"
	cp "$SBX"/sbx-* "$scratch/setuid/"
	chmod 755 "$scratch" "$scratch/setuid"
	chmod 1777 "$ws"
	as_user=(setpriv --reuid 1000 --regid 1000 --clear-groups env HOME=/nonexistent)
	for program in sbx-run sbx-policy sbx-linux-sandbox; do
		[ "$program" != sbx-linux-sandbox ] || have NAMESPACES || continue
		file=$scratch/setuid/$program
		arguments=(-s workspace-write -a never -C "$ws" -- true)
		[ "$program" != sbx-linux-sandbox ] ||
			arguments=(--policy '{"permissions":{"fs":[{"path":"/","access":"read"}],"network":"off","unix_sockets":[]}}' --cwd "$ws" -- true)
		run "${as_user[@]}" "$file" "${arguments[@]}"
		is "control: $program runs for a user" "$status" 0
		chmod 4755 "$file"
		run "${as_user[@]}" "$file" "${arguments[@]}"
		isnt "$program, set-user-id, refuses" "$status" 0
		like "$program, set-user-id, says why" "$err" 'set-?u(ser-)?id|privilege'
		chmod 755 "$file"
	done
fi
boxed sh -c 'id -u'
is "the user id is that of the caller" "$out" "$(id -u)"
finish
