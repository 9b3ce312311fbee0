#!/bin/bash
# What would be refused for no reason is not: message queues, datagrams between
# processes of the sandbox, a socket that nobody listens on; and by name: tracing, devices.
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
	# Datagrams between processes of the sandbox, to nobody else and from nobody else.
	cat >"$ws/receive" <<'EOF'
import os, socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
s.setblocking(True)  # its own affair, not that of who sends
s.bind("box")
if os.fork() == 0:
    c = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    for call in lambda: c.sendto(b"to", "box"), lambda: c.sendmsg([b"m", b"sg"], [], 0, os.path.realpath("box")):
        assert call() > 1
    for i in range(30):  # more than wait in a queue
        c.sendto(b"x", "box")
    c.connect("box")
    for i in range(30):
        c.send(b"y")
    c.send(b"connected")
    os._exit(0)
got = []
while not got or got[-1] != b"connected":
    got.append(s.recv(99))
print(b" ".join(got[:2] + got[-1:]).decode(), len(got), os.wait()[1])
EOF
	for prefix in "" boxed; do
		rm -f "$ws/box"
		run bash -c "cd '$ws' && exec \"\$@\"" - ${prefix:+"${box[@]}"} python3 receive
		is "datagrams between processes${prefix:+, in the sandbox}" "$status $out" "0 to msg connected 63 0"
	done
	for call in 'a.sendto(b"x", "outer")' 'a.sendmsg([b"x"], [], 0, "outer")' 'a.connect("outer"); a.send(b"x")' \
		'a.bind("mine"); a.sendto(b"x", "outer")'; do
		rm -f "$ws/mine"
		unheard "a socket of datagrams: $call" bash -c 'rm -f mine; exec python3 -c "$1"' - "import socket
a = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
$call"
	done
	# One inside has the name, the host has the file: what is put there from outside is not heard.
	mkfifo "$ws/go"
	rm -f "$ws/box"
	(
		eventually 20 test -S "$ws/box"
		python3 -c 'import os, socket, sys
os.chdir(sys.argv[1])
try:
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"outside", "box")
    print("sent")
except OSError as e:
    print(e.strerror)' "$ws" >"$scratch/sent"
		echo >"$ws/go"
	) &
	py 'import socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
s.bind("box"); open("go").read()
try: print(s.recv(99))
except BlockingIOError: print("nothing")'
	wait $!
	is "nobody outside sends to it" "$out $(cat "$scratch/sent")" "nothing Protocol wrong type for socket"
	# Nor has it a name where the host has its own.
	for maker in "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)" \
		"socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0]"; do
		py "import socket
$maker.bind('\\0sbx-t-$$')"
		like "no name without a file: $maker" "$err" "Operation not permitted"
	done
	rm "$ws/box"
	python3 -c "import socket; socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).bind('$ws/box')"
	py 'import socket, errno; print(errno.errorcode[socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).connect_ex("box")])'
	is "one that a process left behind" "$out" ECONNREFUSED

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
