#!/bin/bash
# What would be refused for no reason is not: message queues, pairs of datagram
# sockets, a socket that nobody listens on; and by name: tracing, devices.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/denials.sh"
need USERNS
need PROGRAM python3
human() { run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --report human "$@"; }
py() { boxed python3 -c "$1"; }

# Message queues are those of the sandbox.
queue='import ctypes, os, sys
c = ctypes.CDLL(None, use_errno=True)
q = c.mq_open(sys.argv[1].encode(), os.O_RDWR | os.O_CREAT, 0o600, None)
print("made" if q >= 0 else os.strerror(ctypes.get_errno()))'
boxed python3 -c "$queue" "/sbx-t-queue-$$"
is "a message queue" "$status $out" "0 made"
is "... is not the host's" "$(python3 -c "${queue/ | os.O_CREAT/}" "/sbx-t-queue-$$")" "No such file or directory"

# A pair keeps messages apart, and no address leads out of it.
if [ -z "$(unobserved)" ]; then
	py 'import socket
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
a.send(b"one"); a.send(b"two"); print(b.recv(9).decode(), b.recv(9).decode())'
	is "a pair of datagram sockets" "$status $out" "0 one two"
	listen "unix-dgram:$ws/outer" || finish
	for call in 'a.sendto(b"x", "outer")' 'a.sendmsg([b"x"], [], 0, "outer")' 'a.connect("outer"); a.send(b"x")'; do
		unheard "no address: $call" python3 -c "import socket
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
$call"
	done
	python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("'"$ws"'/stale")'
	py 'import socket, errno; print(errno.errorcode[socket.socket(socket.AF_UNIX).connect_ex("stale")])'
	is "a socket that nobody listens on" "$out" ECONNREFUSED
	human -- python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("stale")'
	unlike "... is no denial" "$err" 'sbx-run: '
	human -- "$TRY" ptrace
	like "tracing: what is suggested" "$err" 'run again with: --allow debug$'
fi

# Tracing, among themselves.
if have PROGRAM strace; then
	boxed strace -o trace true
	isnt "control: nobody traces" "$status" 0
	human --allow debug -- strace -f -o trace sh -c 'true; true'
	is "--allow debug" "$status $(grep -c execve "$ws/trace")" "0 1"
	sleep 1000 &
	victim=$!
	kill_later $victim
	human --allow debug -- strace -o trace -p "$victim"
	isnt "... not those outside" "$status" 0
	human --allow debug -- strace -o trace -p 1
	isnt "... nor what holds the sandbox" "$status" 0
fi

# Devices, and what --add-dir is not for.
run "$SBX/sbx-policy" -C "$ws" -s workspace-write --add-dir /dev/null -- true
like "a device is no directory: what is" "$status $err" '^3 .*not a directory; --allow device:NAME'
run "$SBX/sbx-policy" -C "$ws" -s workspace-write --add-dir /etc/passwd -- true
like "nor a file" "$status $err" '^3 .*not a directory; name the directory that holds it'
run "$SBX/sbx-policy" -C "$ws" -s workspace-write --allow device:null -- true
is "a device by its name" "$status $(jq -c '.policy.permissions.fs[] | select(.path == "/dev/null")' <<<"$out")" '0 {"path":"/dev/null","access":"write"}'
for device in mem tty none ../etc/passwd "input/event0" ""; do
	run "$SBX/sbx-policy" -C "$ws" -s workspace-write --allow "device:$device" -- true
	is "not any: $device" "$status" 3
done
for device in kvm fuse; do
	if [ ! -c /dev/$device ] || [ ! -w /dev/$device ]; then continue; fi
	human -- python3 -c "open('/dev/$device', 'r+b', buffering=0)"
	[ -n "$(unobserved)" ] || like "$device: what is suggested" "$err" "run again with: --allow device:$device\$"
	human --allow device:$device -- python3 -c "open('/dev/$device', 'r+b', buffering=0)"
	is "... works" "$status" 0
done
finish
