#!/bin/bash
# The address of connect() and bind() is the command's own bytes: of every
# length and form the observer answers what the kernel would, and goes on.
. "${0%/*}/lib/lib.sh"
need NOTIFY

cat >"$scratch/forms" <<'END'
import ctypes, errno, os, socket, struct, sys

libc = ctypes.CDLL(None, use_errno=True)
families = [socket.AF_UNSPEC, socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, 0xffff]
bodies = {
    "abstract": b"\0" + b"a" * 300,
    "path": b"/" * 30 + b"nowhere/" + b"p" * 300,
    "relative": b"r" * 300,
    "slashes": b"/" * 300,
    "nothing": b"\0" * 300,
}
lengths = [0, 1, 2, 3, 4, 15, 16, 27, 28, 107, 108, 109, 110, 111, 112, 126, 127, 128, 129, 256,
           0x7fffffff, 0x80000000, 0xffffffff]
for call in "connect", "bind":
    for kind in socket.SOCK_STREAM, socket.SOCK_SEQPACKET:
        for family in families:
            for name, body in bodies.items():
                for length in lengths:
                    s = socket.socket(socket.AF_UNIX, kind)
                    address = struct.pack("H", family) + body
                    result = getattr(libc, call)(s.fileno(), address, ctypes.c_uint(length))
                    error = errno.errorcode[ctypes.get_errno()] if result < 0 else "done"
                    print(call, kind, family, name, length, error)
                    s.close()
                    for made in os.listdir("."):
                        if made.startswith("r"):
                            os.unlink(made)
    s = socket.socket(socket.AF_UNIX)
    for address in 0, 1, 0xffffffffffffffff:
        result = getattr(libc, call)(s.fileno(), ctypes.c_void_p(address), 16)
        print(call, "at", address, result)
print("survived")
END
chmod 644 "$scratch/forms"
mkdir "$ws/empty"
chmod 777 "$ws/empty"
run sh -c "cd '$ws/empty' && python3 '$scratch/forms'"
like "control: the kernel answers" "$out" 'survived$'
cp "$scratch/.out" "$scratch/kernel"

# Names without a file are everybody's where the network is.
unexplained() {
	diff "$scratch/kernel" "$scratch/.out" | grep '^>' | grep -Ev '^> connect [15] 1 (abstract|nothing) .* EPERM$'
}
for network in off loopback on; do
	for report in off json; do
		run "$SBX/sbx-run" -s workspace-write -a never -C "$ws/empty" --network "$network" \
			--report "$report" -- python3 "$scratch/forms"
		like "$network, report $report: it goes on" "$out" 'survived$'
		is "$network, report $report: as the kernel" "$(unexplained)" ''
	done
done

# A socket that comes to the command later, through one that it inherits, is of
# the caller's network, and so is what it would find there.
cat >"$scratch/reach" <<'END'
import socket, sys
line = socket.socket(fileno=0)
_, fds, _, _ = socket.recv_fds(line, 1, 1)
given = socket.socket(fileno=fds[0])
try:
    given.connect("\0" + sys.argv[1] if given.family == socket.AF_UNIX else ("127.0.0.1", int(sys.argv[1])))
except OSError as e:
    sys.exit(str(e))
END
cat >"$scratch/drive" <<'END'
import os, socket, subprocess, sys
unix = sys.argv[1] == "unix"
family = socket.AF_UNIX if unix else socket.AF_INET
there = socket.socket(family)
there.bind("\0sbx-%d" % os.getpid() if unix else ("127.0.0.1", 0))
there.listen()
name = "sbx-%d" % os.getpid() if unix else str(there.getsockname()[1])
line, other = socket.socketpair()
given = socket.socket(family)
socket.send_fds(other, [b"x"], [given.fileno()])
result = subprocess.run(sys.argv[2:] + [name], stdin=line, stderr=subprocess.PIPE, text=True)
there.settimeout(0.3)
try:
    there.accept()
    print("reached")
except OSError:
    print("not reached:", result.stderr.strip())
END
chmod 644 "$scratch/reach"
for kind in unix internet; do
	run python3 "$scratch/drive" $kind python3 "$scratch/reach"
	is "control: without a sandbox a passed $kind socket reaches the host" "$out" reached
	for network in off loopback on; do
		[ "$kind $network" != "internet on" ] || continue
		# The loopback of a container that has no other network is the one that is asked for.
		if [ "$kind $network" = "internet loopback" ] && ! have NAMESPACES; then
			skip "$network: a passed $kind socket does not" "here both have the same loopback"
			continue
		fi
		run python3 "$scratch/drive" $kind "$SBX/sbx-run" --report off -s workspace-write -a never -C "$ws" \
			--network "$network" -- python3 "$scratch/reach"
		is "$network: a passed $kind socket does not" "$out" \
			"not reached: [Errno 1] Operation not permitted"
	done
done
finish
