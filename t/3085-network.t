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
eventually 10 grep -q answer "$scratch/inside"
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
"${box[@]}" python3 talk.py "$port" wait <"$scratch/hold2" >"$scratch/inside" 2>/dev/null &
server=$!
kill_later "$server"
exec 7>"$scratch/hold2"
eventually 10 grep -q answer "$scratch/inside"
run "$TRY" tcp-connect "$port"
is "control: on: it can be reached from outside" "$out" "tcp-connect ok"
exec 7>&-
wait "$server"

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
