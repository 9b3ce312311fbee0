#!/bin/bash
# An internet socket that the command inherits is of the caller's network: it
# stays connected to where it is, and cannot be turned to anywhere else.
. "${0%/*}/lib.sh"

cat >"$scratch/turn" <<'END'
import ctypes, os, socket, struct, sys
libc = ctypes.CDLL(None)
libc.connect(0, struct.pack("HH12x", 0, 0), 16)  # AF_UNSPEC: no longer connected
try:
    socket.socket(fileno=os.dup(0)).connect(("127.0.0.1", int(sys.argv[1])))
except OSError as e:
    sys.exit(str(e))
END
cat >"$scratch/drive" <<'END'
import socket, subprocess, sys
own, other = (socket.create_server(("127.0.0.1", 0)) for _ in range(2))
line = socket.create_connection(own.getsockname())
subprocess.run(sys.argv[1:] + [str(other.getsockname()[1])], stdin=line)
other.settimeout(0.3)
try:
    other.accept()
    print("reached")
except OSError:
    print("not reached")
END
chmod 644 "$scratch/turn"
run python3 "$scratch/drive" python3 "$scratch/turn"
is "control: without a sandbox it is turned" "$out" reached
for network in off loopback; do
	run python3 "$scratch/drive" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --network "$network" -- \
		python3 "$scratch/turn"
	is "$network: not" "$out" "not reached"
done
finish
