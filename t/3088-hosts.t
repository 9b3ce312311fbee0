#!/bin/bash
# --allow-host: the listed hosts are reached by name, by every program, and nobody else is.
zone='a.example A 192.0.2.10
a.example AAAA 2001:db8::10
b.example A 192.0.2.11
*.example A 192.0.2.11
alias.example CNAME a.example
two.example A 192.0.2.99 192.0.2.10
many.example A'$(printf ' 192.0.2.10%.0s' {1..200})'
private.example A 10.0.0.1
local.example A 127.0.0.1
meta.example A 169.254.169.254
mapped.example AAAA ::ffff:10.0.0.1
other.home.test A 192.0.2.11
gone.example NONE'
. "${0%/*}/lib/internet.sh"
. "${0%/*}/lib/lib.sh"
need USERNS
ok "the servers are there" test -s "$internet/ready" -o -e "$internet/ready"

# hosts "HOST HOST..." COMMAND...: in the sandbox, with these
hosts() {
	local host listed options=()
	read -ra listed <<<"$1"
	for host in "${listed[@]}"; do options+=(--allow-host "$host"); done
	shift
	run_sbx -s read-only -a never "${options[@]}" --network hosts -- "$@"
}
get() { hosts "$1" curl -sS -m 20 "http://$2/x"; }
# log_has PATTERN: the internet heard it
log_has() { grep -qE "$1" "$internet/log"; }
new_log() { : >"$internet/log"; }

is "control: without the sandbox" "$(curl -sS -m 20 http://b.example/x)" "b.example at 192.0.2.11 /x"
get a.example a.example
like "a listed name" "$status $out" '^0 a.example at (192.0.2.10|2001:db8::10) /x'
hosts a.example curl -4 -sS http://a.example/x
is "by IPv4" "$out" "a.example at 192.0.2.10 /x"
hosts a.example curl -6 -sS http://a.example/x
is "by IPv6" "$out" "a.example at 2001:db8::10 /x"
get '*.example' alias.example
like "an alias" "$out" '^alias.example at '
get A.Example. a.EXAMPLE
like "in other letters" "$out" '^a.EXAMPLE at '
get '*.example' two.example
like "one of two addresses is down" "$out" '^two.example at 192.0.2.10 '
get '*.example' many.example
like "an answer that needs TCP" "$out" '^many.example at 192.0.2.10 '
get known.example known.example
like "/etc/hosts of the host counts" "$out" '^known.example at 192.0.2.10 '
get 192.0.2.10 192.0.2.10
like "an address" "$out" '^192.0.2.10 at 192.0.2.10 '
get '[2001:db8::10]:80' '[2001:db8::10]'
like "an address of IPv6" "$out" '^\[2001:db8::10\] at 2001:db8::10 '
get "b.example a.example" b.example
is "one of several" "$out" "b.example at 192.0.2.11 /x"

new_log
get a.example b.example
is "a name that is not listed" "$status" 6
not_ok "... is not even asked for outside" log_has b.example
get '*.b.example' b.example
is "the name itself is not below it" "$status" 6
get a.example:81 a.example
is "another port" "$status" 7
get a.example 192.0.2.11
is "by number" "$status" 7
get a.example '[::ffff:192.0.2.11]'
is "by a mapped number" "$status" 7
for name in private local meta mapped; do
	get '*.example' "$name.example"
	is "a name that leads to an internal address: $name" "$status" 6
done
not_ok "nobody else was reached" log_has 'reached (192.0.2.11|10.0.0.1|127.0.0.1|169.254)'
get 'private.example 10.0.0.0/8' private.example
is "control: listed as well" "$out" "private.example at 10.0.0.1 /x"

get a.example 127.0.0.1
is "this machine itself" "$status" 7
get '*' localhost
is "... is not among all names" "$status" 7
get localhost:80 localhost
is "control: unless it is named" "$out" "localhost at 127.0.0.1 /x"
get localhost:81 0.0.0.0
is "... at another port" "$status" 7
hosts localhost /usr/bin/python3 -c 'import socket
inside = socket.create_server(("127.0.0.1", 8080))
socket.create_connection(("localhost", 8080)).sendall(b"inside")
print(inside.accept()[0].recv(10))'
is "a server of the command's own is nearer" "$out" "b'inside'"

# python CODE: in the sandbox, with a.example
python() { hosts a.example /usr/bin/python3 -c "$1"; }
new_log
python 'import socket, errno
def attempt(what, act):
    try:
        print(what, act())
    except OSError as e:
        print(what, errno.errorcode.get(e.errno, e))
far = ("192.0.2.11", 7)
near = (socket.gethostbyname("a.example"), 7)
def fast(to):
    return socket.socket().sendto(b"x", 0x20000000, to)
def turned():
    s = socket.create_connection(near, 20)
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    libc.connect(s.fileno(), b"\0" * 16, 16)
    s.connect(far)
def own_server(address, family):
    s = socket.socket(family); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind((address, 0)); s.listen()
    return socket.create_connection(s.getsockname()[:2]).getpeername()[0]
attempt("connect", lambda: socket.create_connection(far, 20))
attempt("mapped", lambda: socket.create_connection(("::ffff:192.0.2.11", 7), 20))
attempt("fast open", lambda: fast(far))
attempt("fast open to a name", lambda: fast(near))
attempt("turned", turned)
attempt("datagram", lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x" * 30, ("192.0.2.53", 53)))
attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
attempt("ping", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM, 1))
attempt("guessed", lambda: socket.create_connection(("198.18.77.77", 7), 20))
attempt("guessed six", lambda: socket.create_connection(("fd73:6278::4d4d", 7), 20))
attempt("of this machine", lambda: socket.create_connection(("10.0.0.1", 80), 20))
attempt("inside", lambda: own_server("198.18.0.1", socket.AF_INET))
attempt("inside, by IPv6", lambda: own_server("fd73:6278::1", socket.AF_INET6))'
is "each way round fails in its own words" "$out" "connect EACCES
mapped EACCES
fast open ENETUNREACH
fast open to a name ECONNREFUSED
turned EACCES
datagram ENETUNREACH
raw EPERM
ping EACCES
guessed EHOSTUNREACH
guessed six EHOSTUNREACH
of this machine EACCES
inside 198.18.0.1
inside, by IPv6 fd73:6278::1"
not_ok "nobody was reached by any" log_has 'reached (192.0.2.11|10.)'

new_log
python 'import socket, os, struct
s = socket.socket(type=socket.SOCK_DGRAM); s.settimeout(20)
def ask(labels, kind=1, tail=b""):
    name = b"".join(bytes([len(l)]) + l for l in labels) + b"\0"
    s.sendto(os.urandom(2) + b"\1\0\0\1\0\0\0\0\0\0" + name + struct.pack(">HH", kind, 1) + tail, ("127.0.0.1", 53))
    out = s.recv(2000)
    return out[3] & 15, struct.unpack(">H", out[6:8])[0]
print(ask([b"a", b"example"]), ask([b"A", b"EXAMPLE"]), ask([b"a", b"example"], 65), ask([b"a", b"example"], 16))
print(ask([b"a.example"]), ask([b"a\0", b"example"]), ask([b"a", b"example\0"]), ask([b"x" * 63, b"example"]), ask([b"x" * 63] * 3 + [b"y" * 60]))
print(ask([b"b", b"example"]), ask([b"secret-in-a-name", b"evil", b"test"]), ask([b"localhost"]), ask([b"x", b"localhost"], 28))
for junk in (b"", b"\0" * 12, os.urandom(100), b"\0\0\1\0\0\1" + b"\0" * 6 + b"\xc0\x0c" * 5, b"\0\0\1\0\0\1" + b"\0" * 6 + b"\x3f" * 300):
    s.sendto(junk, ("127.0.0.1", 53))
print(ask([b"a", b"example"]))'
is "names in every disguise" "$out" "(0, 1) (0, 1) (0, 0) (0, 0)
(3, 0) (3, 0) (3, 0) (3, 0) (3, 0)
(3, 0) (3, 0) (0, 1) (0, 1)
(0, 1)"
is "what left is the listed name, once" "$(sort "$internet/log" | uniq -c | awk '{print $1, $2, $3}')" "1 a.example A"
python 'import socket
for i in range(3000):
    s = socket.socket(type=socket.SOCK_DGRAM); s.sendto(b"xx\1\0\0\1\0\0\0\0\0\0\5%05d\3bad\0\0\1\0\1" % i, ("127.0.0.1", 53))
print(socket.create_connection(("a.example", 7), 20).getpeername()[1])'
is "a flood of names" "$status $out" "0 7"

python 'import socket, threading, errno
s = socket.create_connection(("a.example", 7), 20)
data = bytes(range(256)) * 16384
t = threading.Thread(target=lambda: (s.sendall(data), s.shutdown(socket.SHUT_WR))); t.start()
got = bytearray()
while True:
    part = s.recv(65536)
    if not part: break
    got += part
print(got == data)
try: socket.create_connection(("a.example", 8), 20)
except OSError as e: print(errno.errorcode[e.errno])
s = socket.socket(); s.setblocking(False)
print(errno.errorcode[s.connect_ex((socket.gethostbyname("a.example"), 8))])
many = [socket.create_connection(("a.example", 7), 20) for _ in range(100)]
for i, s in enumerate(many): s.sendall(b"%03d" % i)
print(all(s.recv(3) == b"%03d" % i for i, s in enumerate(many)))
print(socket.gethostbyaddr(socket.gethostbyname("a.example"))[0])
def reverse(labels):
    s = socket.socket(type=socket.SOCK_DGRAM); s.settimeout(20)
    s.sendto(b"xx\1\0\0\1\0\0\0\0\0\0" + b"".join(bytes([len(l)]) + l for l in labels.split(b".")) + b"\0\0\x0c\0\1", ("127.0.0.1", 53))
    return b"\x09localhost\0" in s.recv(600)
print(reverse(b"1.0.0.127.in-addr.arpa"), reverse(b"1." + b"0." * 31 + b"ip6.arpa"), reverse(b"2." + b"0." * 31 + b"ip6.arpa"))'
is "bytes, an end of one direction, errors, many at once, the way back" "$out" "True
ECONNREFUSED
ECONNREFUSED
True
a.example
True True False"

run_sbx --json -s read-only -a never --allow-host a.example:80 -- sh -c 'curl -s http://a.example/x; curl -s http://a.example:7/; curl -s http://b.example/'
is "denials have the smallest option" "$(jq -rc '[.result.denials[] | [.op, .address, .allow_with]]' <<<"$out")" \
	'[["connect","a.example:7","--allow-host a.example:7"],["look up","b.example","--allow-host b.example"]]'
is "what was reached" "$(jq -rc '[.result.network[] | [.host, .port, .connections, .sent > 50, .received > 50]]' <<<"$out")" '[["a.example",80,1,true,true]]'
run_sbx --json -c sbx.observe=off -s read-only -a never --allow-host a.example:80 -- curl -s http://b.example/
is "... also where nothing else is observed" "$(jq -rc '[.result.denials[] | [.op, .address]]' <<<"$out")" '[["look up","b.example"]]'

# denied_names NAME: what is denied where a program asks for that one
denied_names() {
	run_sbx --json -s read-only -a never --allow-host a.example --allow-host gone.example -- getent ahosts "$1"
	jq -rc '[.result.denials[] | .address] | join(" ")' <<<"$out"
}
# resolv.conf has "search home.test".
is "of a name and what the search list makes of it one is denied: a word" "$(denied_names other)" other.home.test
is "... a whole name of that domain" "$(denied_names other.home.test)" other.home.test
is "... a whole name of another" "$(denied_names b.example)" b.example
is "... a listed one that does not exist" "$(denied_names gone.example)" ""
hosts other.home.test curl -sS http://other/x
is "... and it is the one that helps" "$out" "other at 192.0.2.11 /x"

# A server whose queue is full answers nobody until somebody leaves it.
/usr/bin/python3 -c 'import os, socket, sys, time
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); s.bind(("192.0.2.10", 5005)); s.listen(0)
full = [socket.create_connection(("192.0.2.10", 5005))]
open(sys.argv[1] + ".full", "w").close()
while not os.path.exists(sys.argv[1] + ".go"): time.sleep(0.02)
while True: s.accept()' "$ws/queue" &
kill_later $!
ok "... is there" eventually 20 test -e "$ws/queue.full"
run_sbx -s workspace-write -C "$ws" -a never --allow-host a.example -- /usr/bin/python3 -c 'import errno, select, socket, sys
s = socket.socket(); s.setblocking(False)
print(errno.errorcode[s.connect_ex((socket.gethostbyname("a.example"), 5005))])
print(select.select([], [s], [], 0.5)[1] == [])
open("queue.go", "w").close()
print(select.select([], [s], [], 20)[1] == [s], s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))'
is "who does not wait for a slow server sees a connection that is on its way" "$out" "EINPROGRESS
True
True 0"

# child PID N: the n-th that it started and that is there
child() { cut -d' ' -f"$2" "/proc/$1/task/$1/children"; }
"$SBX/sbx-linux-sandbox" --cwd / --policy '{"permissions":{"fs":[{"path":"/","access":"read"}],"network":"hosts","hosts":["a.example"]}}' -- \
	sh -c 'echo ready; exec sleep 1000' >"$scratch/started" 2>"$scratch/said" &
outer=$!
eventually 20 grep -q ready "$scratch/started"
kill -KILL "$(child "$outer" 2)"
wait "$outer"
is "a gateway that dies ends the run" "$? $(cat "$scratch/said")" "125 sbx-linux-sandbox: the gateway to the network died; the command was ended"
rm "$scratch/started"
mkfifo "$scratch/say"
"$SBX/sbx-linux-sandbox" --cwd / --policy '{"permissions":{"fs":[{"path":"/","access":"read"}],"network":"hosts","hosts":["a.example"]}}' -- \
	sh -c 'curl -sS http://a.example/x; echo ready; read -r line; curl -sS http://a.example/x; exec sleep 1000' <"$scratch/say" >"$scratch/started" 2>"$scratch/said" &
outer=$!
exec 7>"$scratch/say"
eventually 20 grep -q ready "$scratch/started"
kill -KILL "$(child "$(child "$outer" 2)" 1)"
echo >&7
wait "$outer"
is "... and so does the process that makes its sockets, once it is needed" "$? $(wc -l <"$scratch/started") $(tail -n 1 "$scratch/said")" \
	"125 2 sbx-linux-sandbox: the gateway to the network died; the command was ended"
exec 7>&-
run "$SBX/sbx-linux-sandbox" --landlock --cwd / --policy '{"permissions":{"fs":[{"path":"/","access":"read"}],"network":"hosts","hosts":["a.example"]}}' -- true
like "Landlock alone cannot hold a list" "$status $err" '^125 .*(network namespace|Landlock)'
run "$SBX/sbx-linux-sandbox" --cwd / --policy '{"permissions":{"fs":[{"path":"/","access":"read"}],"network":"hosts","hosts":["0x7f.1"]}}' -- true
like "a list that cannot be read is none" "$status $err" '^125 .*another spelling'
"$SBX/sbx-policy" -C "$ws" -s read-only --allow-host a.example -- true | "$SBX/sbx-approve" | "$SBX/sbx-select" --platform windows >/dev/null 2>&1
is "nor can Windows" "${PIPESTATUS[2]}" 4

if [ -e "$internet/zone.pem" ]; then
	new_log
	hosts a.example:443 curl -sS --cacert "$internet/ca" https://a.example/x
	like "TLS" "$out" '^a.example at '
	ok "... with its name" log_has 'named a.example'
	hosts '*.example' curl -sS --cacert "$internet/ca" --connect-to b.example:443:a.example:443 https://b.example/x
	isnt "TLS that names another server" "$status" 0
	not_ok "... which does not hear of it" log_has 'named b.example'
	run_sbx -c sbx.network.sni=off -s read-only -a never --allow-host a.example -- curl -sS --cacert "$internet/ca" --connect-to b.example:443:a.example:443 https://b.example/x
	ok "control: unless it is not looked at" log_has 'named b.example'
fi
finish
