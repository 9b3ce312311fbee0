#!/bin/bash
# No new privileges and no capabilities inside, for root as for a user.
. "${0%/*}/lib.sh"

for network in off loopback on; do
	set_box --network "$network"
	boxed "$TRY" nnp
	like "$network: no new privileges" "$out" '^no_new_privs 1$'
	boxed "$TRY" caps
	is "$network: all five sets are there" "$(grep -c '^Cap' <<<"$out")" 5
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
boxed sh -c 'id -u'
is "the user id is that of the caller" "$out" "$(id -u)"
finish
