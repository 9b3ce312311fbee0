#!/bin/bash
# What a command or a name server could try against a list of hosts: names that change
# their address, long answers, other spellings, floods.
zone='a.example A 192.0.2.10
thousand.example A'$(printf ' 192.0.2.10%.0s' {1..1000})'
turning.example TTL 1
turning.example A 192.0.2.10
turning.example AFTER 10.0.0.1
inner.example A 10.0.0.1
xn--bcher-kva.example A 192.0.2.11'
. "${0%/*}/lib/internet.sh"
. "${0%/*}/lib/lib.sh"
need USERNS
# python "HOST..." CODE: in the sandbox, with these
python() {
	local host listed options=()
	read -ra listed <<<"$1"
	for host in "${listed[@]}"; do options+=(--allow-host "$host"); done
	: >"$internet/log"
	run_sbx -s read-only -a never "${options[@]}" -- /usr/bin/python3 -c "$2"
}
reached() { grep -c "^reached $1" "$internet/log"; }

python turning.example 'import socket, time
def page(host):
    s = socket.create_connection((host, 80), 20); s.sendall(b"GET /x HTTP/1.0\r\n\r\n"); return s.makefile().read().split("\n")[-2]
first = socket.gethostbyname("turning.example")
print(page(first))
while True:
    try: socket.gethostbyname("turning.example")
    except OSError as e: break
    time.sleep(0.05)
print("gone", page(first))'
is "rebinding: the new address is not believed, the old one stays what it was" "$out" "? at 192.0.2.10 /x
gone ? at 192.0.2.10 /x"
is "... and this machine is not reached" "$(reached 10.0.0.1)" 0
python thousand.example 'import socket
print(len(socket.getaddrinfo("thousand.example", 7, socket.AF_INET, socket.SOCK_STREAM)), socket.create_connection(("thousand.example", 7), 20).getpeername()[1])'
is "an answer with a thousand records: some of them" "$status $out" "0 16 7"
python xn--bcher-kva.example 'import socket
for name in ("b\u00fccher.example", "XN--BCHER-KVA.Example", "xn--bcher-kva.example."):
    print(socket.create_connection((name.encode("idna").decode() if not name.isascii() else name, 7), 20).getpeername()[1])'
is "a name in punycode, however it is written" "$status $out" "0 7
7
7"
run_sbx -s read-only -a never --allow-host 'bücher.example' -- true
like "... a list has it in that form" "$status $err" '^125 .*xn--'
python a.example 'import socket, struct
def ask(name, kind=1):
    s = socket.socket(type=socket.SOCK_DGRAM); s.settimeout(20)
    s.sendto(b"xx\1\0\0\1\0\0\0\0\0\0" + name + struct.pack(">HH", kind, 1), ("127.0.0.1", 53))
    try: return s.recv(4096)[3] & 15
    except socket.timeout: return "none"
def name(*labels): return b"".join(bytes([len(l)]) + l for l in labels) + b"\0"
print(ask(name(b"xn--e1afmkfd", b"a", b"example")), ask(name(b"a", b"example", b"")[:-1] + b"\0"), ask(name(b"a.example")), ask(name(b"a", b"example\0x")), ask(name(b"\xd0\xb0", b"example")))
print(ask(name(*[b"x" * 63] * 3, b"y" * 61)), ask(name(b"x" * 63, b"a", b"example")))
for i in range(300): ask(name(b"%032x" % i, b"leak", b"a", b"example"))
print(ask(name(b"a", b"example")))'
is "names that only look like it, and messages in names" "$status $out" "0 3 5 3 3 3
3 3
0"
is "... of which nobody outside hears" "$(sort -u "$internet/log" | tr '\n' ' ')" "a.example A udp "
python a.example 'import resource, socket
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
held, refused = [], 0
address = socket.gethostbyname("a.example")
for i in range(400):
    s = socket.socket(); s.settimeout(20)
    try: s.connect((address, 19)); held.append(s)
    except OSError as e: refused += 1
print(len(held) > 50, sum(len(s.recv(10)) > 0 for s in held) == len(held))
for s in held: s.close()
s = socket.create_connection((address, 7), 20); s.sendall(b"alive"); print(s.recv(5))'
is "a flood through the relay that nobody reads" "$status $out" "0 True True
b'alive'"
python a.example 'import socket
many = []
for i in range(300):
    s = socket.socket()
    try: s.connect(("127.0.0.1", 53)); s.sendall(b"\0\x50" + b"x" * 10); many.append(s)
    except OSError: pass
print(socket.gethostbyname("a.example")[:7], socket.create_connection(("a.example", 7), 20).getpeername()[1])'
is "a resolver that is flooded over TCP" "$status $out" "0 198.18. 7"
python a.example 'import socket
for number in ("198.18.0.2", "198.18.0.3", "198.19.255.255", "fd73:6278::2"):
    try: print(socket.create_connection((number, 7), 20))
    except OSError as e: print(e.errno)'
is "the synthetic range by number, before anybody was given any" "$out" "113
113
113
113"
is "... reaches nobody" "$(reached '')" 0
finish
