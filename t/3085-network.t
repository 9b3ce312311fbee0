#!/bin/bash
# off has no network, loopback a private one that works, on that of the host; where
# nothing is said it is loopback.
. "${0%/*}/lib/lib.sh"
need PROGRAM python3

cat >"$ws/talk.py" <<'END'
import http.server, sys, threading, urllib.request
server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = "http://127.0.0.1:%d/talk.py" % server.server_port
print("answer", urllib.request.urlopen(url, timeout=10).status, flush=True)
if len(sys.argv) > 2:
    sys.stdin.read()
END
unboxed python3 talk.py 0
is "control: a local server answers without the sandbox" "$out" "answer 200"
if ! have NAMESPACES; then
	boxed python3 talk.py 0
	unlike "nothing said: no local server where the only loopback is everybody's" "$out" "answer 200"
	boxed sh -c 'echo "${CODEX_SANDBOX_NETWORK_DISABLED-unset}"'
	is "... and programs are told" "$out" 1
	skip "a private loopback" "no namespaces here"
	finish
fi
boxed python3 talk.py 0
is "nothing said: a local server answers inside" "$out" "answer 200"
set_box --network off
boxed python3 talk.py 0
unlike "off: no local server" "$out" "answer 200"
set_box --network loopback
boxed python3 talk.py 0
is "loopback: a local server answers inside" "$out" "answer 200"

# Programs ask for the addresses of the kinds that the machine has: AI_ADDRCONFIG.
cat >"$ws/names.py" <<'END'
import socket
def talk(family, name):
    with socket.create_server((name, 0), family=family) as server:
        port = server.getsockname()[1]
        found = socket.getaddrinfo(name, port, family, socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
        with socket.socket(family) as s:
            s.connect(found[0][4])
            print(name, s.getpeername()[0])
talk(socket.AF_INET, "localhost")
talk(socket.AF_INET, "127.0.0.1")
if open("/proc/net/if_inet6").read():
    talk(socket.AF_INET6, "::1")
else:
    print("::1 ::1")
END
unboxed python3 -c 'import socket; print(socket.gethostbyname("localhost"))'
is "control: localhost has its name here" "$out" 127.0.0.1
set_box
boxed python3 names.py
is "nothing said: localhost by its name, both kinds of addresses" "$out" "localhost 127.0.0.1
127.0.0.1 127.0.0.1
::1 ::1"
boxed sh -c 'tail -f /dev/null | python3 talk.py 8123 wait >out 2>&1 &
	until grep -q answer out; do sleep 0.02; done; exec "$@"' sh "$TRY" tcp-connect 8123
is "nothing said: a server in the background answers" "$out" "tcp-connect ok"
set_box --network loopback

# From outside that server is not there, while it runs.
port=$((20000 + $$ % 20000))
mkfifo "$scratch/hold"
"${box[@]}" python3 talk.py "$port" wait <"$scratch/hold" >"$scratch/inside" 2>/dev/null &
server=$!
kill_later "$server"
exec 7>"$scratch/hold"
eventually 60 grep -q answer "$scratch/inside"
is "loopback: it runs" "$(cat "$scratch/inside")" "answer 200"
run "$TRY" tcp-connect "$port"
is "loopback: it cannot be reached from outside" "$out" "tcp-connect ECONNREFUSED"
# Two sandboxes do not share a loopback.
boxed "$TRY" tcp-connect "$port"
is "loopback: nor from another sandbox" "$out" "tcp-connect ECONNREFUSED"
exec 7>&-
wait "$server"

set_box --network on
mkfifo "$scratch/hold2"
"${box[@]}" python3 talk.py "$port" wait <"$scratch/hold2" >"$scratch/reached" 2>/dev/null &
server=$!
kill_later "$server"
exec 7>"$scratch/hold2"
eventually 60 grep -q answer "$scratch/reached"
run "$TRY" tcp-connect "$port"
is "control: on: it can be reached from outside" "$out" "tcp-connect ok"
exec 7>&-
wait "$server"

# on: this machine itself is not in it, however it is addressed, but for the command's
# own servers; what is listed is.
cat >"$ws/here.py" <<'END'
import errno, socket, sys
def reach(family, address, port):
    with socket.socket(family) as s:
        s.settimeout(10)
        return errno.errorcode.get(s.connect_ex((address, port)), "reached")
port, four, six = int(sys.argv[1]), sys.argv[2].split(","), sys.argv[3].split(",")
print("others", *{reach(socket.AF_INET, a, port) for a in four} | {reach(socket.AF_INET6, a, port) for a in six})
for family, all, one in (socket.AF_INET, "", four[-1]), (socket.AF_INET6, "::", six[0]):
    with socket.create_server((all, 0), family=family) as server:
        print("own", reach(family, one, server.getsockname()[1]))
# A full queue: nothing is left on its way, to whoever has the port later.
with socket.socket() as server:
    server.bind(("127.0.0.1", 0)); server.listen(0)
    more = [socket.socket() for _ in range(3)]
    for s in more:
        s.setblocking(False); s.connect_ex(server.getsockname())
    states = [s.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] for s in more]
print("on its way" if 2 in states else "none on its way", "taken" if 1 in states else "none taken")
# ... nor by a first write long after connect(), to whoever has the port of ours by then.
for refused in (lambda: socket.socket(socket.AF_INET, socket.SOCK_SEQPACKET),
                lambda: socket.socket().setsockopt(socket.IPPROTO_TCP, 30, 1)):
    try:
        refused()
    except OSError as e:
        print(errno.errorcode[e.errno])
END
python3 -c 'import socket, sys
s = socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True)
print(s.getsockname()[1], flush=True)
while True: s.accept()' >"$scratch/port" &
kill_later $!
eventually 60 test -s "$scratch/port"
port=$(cat "$scratch/port")
own=$(python3 -c 'import socket
s = socket.socket(type=socket.SOCK_DGRAM)
s.connect(("192.0.2.1", 9))
print(s.getsockname()[0])' 2>/dev/null) || own=127.0.0.1
addresses=("127.0.0.1,127.9.9.9,0.0.0.0,$own" "::1,::,::ffff:127.0.0.1,::ffff:0.0.0.0,::ffff:$own")
unboxed python3 here.py "$port" "${addresses[@]}"
like "control: without a sandbox it is reached in every way" "$out" "^others reached\$"
like "control: ... and a full queue leaves a connection on its way" "$out" '^on its way'
set_box --network on
boxed python3 here.py "$port" "${addresses[@]}"
is "on: servers of this machine are not reached, those of the command are" "$out" "others ECONNREFUSED
own reached
own reached
none on its way taken
EPROTONOSUPPORT
ENOTSUP"
set_box --network on --allow-host "localhost:$port"
boxed python3 here.py "$port" "${addresses[@]}"
like "on, and this machine listed: it is" "$out" "^others reached\$"
run "$SBX/sbx-run" -s workspace-write -a never --json --network on -C "$ws" -- "$TRY" tcp-connect "$port"
is "lost names what is not held" "$(jq -r '.sandbox.lost[].guarantee' <<<"$out" | grep -x 'host-loopback.*')" host-loopback-datagrams
if have OBSERVER; then
	is "the denial names the port" "$(jq -c '[.result.denials[0].address, .result.denials[0].allow_with]' <<<"$out")" \
		"[\"127.0.0.1:$port\",\"--allow-host localhost:$port\"]"
fi

# The only interfaces of a private network are its own.
for network in off loopback; do
	set_box --network "$network"
	boxed sh -c 'sed 1,2d /proc/net/dev | cut -d: -f1 | tr -d " " | tr "\n" " "'
	unlike "$network: no interface of the host" "$out" '[^ ]*(eth|en|wl|docker|veth)'
done

# Programs are told.
for network in "" off loopback on; do
	set_box ${network:+--network "$network"}
	boxed sh -c 'echo "${CODEX_SANDBOX_NETWORK_DISABLED-unset}"'
	want=1
	[ "$network" != on ] || want="unset"
	is "${network:-nothing said}: CODEX_SANDBOX_NETWORK_DISABLED" "$out" "$want"
done
finish
