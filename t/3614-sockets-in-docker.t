#!/bin/bash
# Sockets in a container of Docker's kind, where those of other processes cannot
# be had: listed unix sockets and the command's own are reached, others are not,
# and a network that is on is on.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/container.sh"
need LANDLOCK 3
need NOTIFY
need PROGRAM python3

listed=$outside/listed.sock
listen "unix-stream:$listed" "unix-stream:$outside/other.sock" "unix-stream:$ws/beside.sock" "tcp:any"
port=${listening[3]}
talk=("$TRY" unix-connect stream)
list=(-c "sandbox_workspace_write.unix_sockets=[\"$listed\"]")
cat >"$ws/pair.py" <<'END'
import os, socket, threading, asyncio
for kind in socket.SOCK_STREAM, socket.SOCK_SEQPACKET:
    server = socket.socket(socket.AF_UNIX, kind)
    server.bind("s"); server.listen(5)
    def serve():
        c, _ = server.accept(); c.send(b"word"); c.close()
    t = threading.Thread(target=serve, daemon=True); t.start()
    client = socket.socket(socket.AF_UNIX, kind)
    client.connect("s"); print(client.recv(9).decode()); t.join(); os.unlink("s")
async def main():
    async def serve(r, w): w.write(b"later"); w.close()
    await asyncio.start_unix_server(serve, "d/a")
    r, w = await asyncio.open_unix_connection("d/a"); print((await r.read()).decode()); w.close()
os.mkdir("d"); asyncio.run(main())
END
for network in off on; do
	rm -rf "$ws/d"
	set_docker_box --network "$network" "${list[@]}"
	boxed timeout 60 python3 pair.py
	is "$network: processes of the sandbox talk to each other" "$out" "$(printf 'word\nword\nlater')"
	deaf
	boxed "${talk[@]}" "$listed"
	isnt "$network: a listed socket is reached" "$(heard)" ""
	deaf
	for name in "$outside/other.sock" "$ws/beside.sock"; do
		boxed "${talk[@]}" "$name"
		is "$network: ${name##*/} is not" "$(heard)" ""
		deaf
	done
	boxed timeout 600 "$HELPER/race" "$ws/allowed-$network" "$outside/other.sock" "$(long 400 20000)"
	like "$network: connections are made while the address changes" "$out" '^[1-9]'
	is "$network: ... and none to what is not listed" "$(heard)" ""
	deaf
done
"${talk[@]}" "$outside/other.sock"
isnt "control: without a sandbox it is reached" "$(heard)" ""
deaf

connect='import socket, sys; s = socket.socket(); s.settimeout(20); print(s.connect_ex(("127.0.0.1", int(sys.argv[1]))))'
boxed python3 -c "$connect" "$port"
is "a network that is on" "$out $(heard | head -c 1 | wc -c)" "0 1"
deaf
box=("${docker[@]}" "$SBX/sbx-run" -s read-only -a never --network on -C "$ws" --)
boxed python3 -c "$connect" "$port"
is "... where nothing is writable, too" "$out $(heard | head -c 1 | wc -c)" "0 1"
deaf
set_docker_box --network off
boxed python3 -c "$connect" "$port"
is "... and off" "$out$(heard)" ""
# A name in a directory that nothing protected is in, which the kernel itself gives.
mkdir "$ws/plain"
box=("${docker[@]}" "$SBX/sbx-run" -a never -C "$ws/plain"
	-c "permissions.p.filesystem={\":root\" = \"read\", \"$ws/plain\" = \"write\"}" -P p --)
cp "$ws/pair.py" "$ws/plain"
boxed timeout 60 python3 pair.py
is "without protected names" "$out" "$(printf 'word\nword\nlater')"
finish
