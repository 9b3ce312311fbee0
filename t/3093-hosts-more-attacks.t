#!/bin/bash
# What a command, a name server or a server could try against a list of hosts beyond
# t/3088 and t/3092: messages in pieces, answers made to confuse, ways of the kernel
# that go round connect(), TLS that does not begin as it should, floods of resets.
zone='a.example A 192.0.2.10
b.example A 192.0.2.11
aside.example CNAME b.elsewhere
b.elsewhere A 192.0.2.11
inward.example CNAME meta.elsewhere
meta.elsewhere A 169.254.169.254
round.example CNAME round2.example
round2.example CNAME round.example
azure.example A 168.63.129.16
sixtofour.example AAAA 2002:a00:1::1
nat64.example AAAA 64:ff9b::a00:1
compat.example AAAA ::10.0.0.1
metasix.example AAAA fd00:ec2::254
link.example AAAA fe80::1
loop.example RAW c01e00010001000000010004c000020b
short.example RAW c00c00010001ffffffff00ffc000020b
other.example RAW 0162076578616d706c650000010001000000010004c000020b
dname.example RAW c00c00270001ffffffff000b0162076578616d706c6500
forever.example RAW c00c00010001ffffffff0004c000020a
never.example RAW c00c00010001000000000004c000020a'
# shellcheck source=t/lib/internet.sh
. "${0%/*}/lib/internet.sh"
. "${0%/*}/lib/lib.sh"
need USERNS
slow
# python "HOST..." CODE: in the sandbox, with these
python() {
	local host listed options=()
	read -ra listed <<<"$1"
	for host in "${listed[@]}"; do options+=(--allow-host "$host"); done
	: >"$internet/log"
	run_sbx -s read-only -a never "${options[@]}" -- /usr/bin/python3 -c "$2"
}
log_has() { grep -qE "$1" "$internet/log"; }

# ---- questions -------------------------------------------------------------------------------
python a.example 'import socket, struct, time
def query(name, kind=1, tail=b"", more=0):
    return b"xx\1\0\0\1\0\0\0\0" + struct.pack(">H", more) + b"".join(bytes([len(l)]) + l for l in name.split(b".")) + b"\0" + struct.pack(">HH", kind, 1) + tail
def tcp(): return socket.create_connection(("127.0.0.1", 53), 20)
def read(s, n):
    out = b""
    while len(out) < n:
        part = s.recv(n - len(out))
        if not part: raise EOFError
        out += part
    return out
def take(s): return read(s, struct.unpack(">H", read(s, 2))[0])
def told(m): return m[3] & 15, struct.unpack(">H", m[6:8])[0]
good, bad = query(b"a.example"), query(b"b.example")
framed = lambda m: struct.pack(">H", len(m)) + m
s = tcp()
for byte in framed(good): s.sendall(bytes([byte]))
print("pieces", told(take(s)))
s.sendall(framed(good) + framed(bad) + framed(good))
print("together", [told(take(s)) for _ in range(3)])
s.sendall(framed(bad)[:1]); time.sleep(0.05); s.sendall(framed(bad)[1:20]); time.sleep(0.05); s.sendall(framed(bad)[20:])
print("a bad one in pieces", told(take(s)))
u = socket.socket(type=socket.SOCK_DGRAM); u.settimeout(20)
def ask(m):
    u.sendto(m, ("127.0.0.1", 53)); return u.recv(4096)
print("EDNS", told(ask(query(b"a.example", tail=b"\0\0\x29\x10\0\0\0\x80\0\0\0", more=1))), told(ask(query(b"b.example", tail=b"\0\0\x29\x10\0\0\0\0\0\0\4\0\x08\0\0", more=1))))
mixed = ask(query(b"A.eXaMPle")); print("0x20", told(mixed), b"\1A\7eXaMPle\0" in mixed)
def after(m):
    u.sendto(m, ("127.0.0.1", 53))
    t = tcp(); t.sendall(framed(m)); t.close()
for name in (b"\xc0\x0c", b"\1b\xc0\x0c", b"\xc0\x0e\xc0\x0c", b"\xff\xff", b"\xc0"):
    after(b"xx\1\0\0\1\0\0\0\0\0\0" + name + b"\0\1\0\1")
after(b"xx\1\0\0\2" + good[6:] + bad[12:])
while True:
    m = u.recv(4096) if False else ask(b"yy" + good[2:])
    if m[:2] == b"yy": break
print("after circles", told(m))'
is "questions in pieces, together, with additions, in circles" "$status $out" "0 pieces (0, 1)
together [(0, 1), (3, 0), (0, 1)]
a bad one in pieces (3, 0)
EDNS (0, 1) (3, 0)
0x20 (0, 1) True
after circles (0, 1)"
is "... of which the listed name left, in our words" "$(sort -u "$internet/log" | tr '\n' ' ')" "a.example A udp "

# ---- answers ---------------------------------------------------------------------------------
python '*.example' 'import socket
for name in ("aside", "inward", "round", "azure", "sixtofour", "nat64", "compat", "metasix", "link", "loop", "short", "other", "dname", "forever", "never"):
    try: print(name, socket.create_connection((name + ".example", 7), 20).getpeername()[1])
    except OSError as e: print(name, type(e).__name__)'
is "what a name may lead to" "$out" "aside 7
inward gaierror
round gaierror
azure gaierror
sixtofour gaierror
nat64 gaierror
compat gaierror
metasix gaierror
link gaierror
loop gaierror
short gaierror
other gaierror
dname gaierror
forever 7
never 7"
is "... and who was reached" "$(grep ^reached "$internet/log" | sort | uniq -c | sed 's/^ *//' | tr '\n' ';')" "2 reached 192.0.2.10 7;1 reached 192.0.2.11 7;"
python '192.0.2.10 0.0.0.0/0' 'import socket, errno
for number in ("::ffff:192.0.2.10", "2002:c000:20a::1", "64:ff9b::c000:20a", "::192.0.2.10", "127.0.0.1", "0.0.0.0", "::ffff:127.0.0.1", "::ffff:0.0.0.0", "::"):
    try: print(socket.create_connection((number, 7), 20).getpeername()[1])
    except OSError as e: print(errno.errorcode[e.errno])'
# This machine itself is the sandbox's own, where nobody listens.
is "an address that is listed, inside others" "$out" "7
EACCES
EACCES
EACCES
ECONNREFUSED
ECONNREFUSED
ECONNREFUSED
ECONNREFUSED
ECONNREFUSED"

# ---- round connect() -------------------------------------------------------------------------
cat >"$scratch/round.py" <<'PYTHON'
import ctypes, errno, os, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
far = (sys.argv[1], 7)
near = lambda: (socket.gethostbyname("a.example"), 7)
def address(to): return struct.pack("=H", socket.AF_INET) + struct.pack(">H", to[1]) + socket.inet_aton(to[0]) + b"\0" * 8
def attempt(what, act):
    try: out = act()
    except OSError as e: out = errno.errorcode.get(e.errno, e)
    print(what, "-", out, flush=True)
def checked(n):
    if n < 0: raise OSError(ctypes.get_errno(), "")
    return n
class Iov(ctypes.Structure): _fields_ = [("base", ctypes.c_void_p), ("len", ctypes.c_size_t)]
class Msg(ctypes.Structure):
    _fields_ = [("name", ctypes.c_void_p), ("namelen", ctypes.c_uint), ("iov", ctypes.POINTER(Iov)), ("iovlen", ctypes.c_size_t),
                ("control", ctypes.c_void_p), ("controllen", ctypes.c_size_t), ("flags", ctypes.c_int)]
class Mmsg(ctypes.Structure): _fields_ = [("msg", Msg), ("len", ctypes.c_uint)]
def message(to):
    name, data = ctypes.create_string_buffer(address(to), 16), ctypes.create_string_buffer(b"x", 1)
    m = Msg(ctypes.addressof(name), 16, ctypes.pointer(Iov(ctypes.addressof(data), 1)), 1, None, 0, 0)
    m.keep = (name, data)
    return m
FAST = 0x20000000
def sendmsg(to):
    s = socket.socket(); m = message(to); return checked(libc.sendmsg(s.fileno(), ctypes.byref(m), FAST))
def sendmmsg(to):
    s = socket.socket(); m = message(to); mm = Mmsg(m, 0); return checked(libc.sendmmsg(s.fileno(), ctypes.byref(mm), 1, FAST))
def put_off(to):
    s = socket.socket(); s.setsockopt(6, 30, 1); s.connect(to); s.send(b"x"); return s.getpeername()[1]
def after(level, option, value):
    def act():
        s = socket.socket(); s.setsockopt(level, option, value); s.connect(far); return s.getpeername()[1]
    return act
def datagram(to):
    s = socket.socket(type=socket.SOCK_DGRAM); s.connect((to[0], 443)); s.send(b"x" * 1200); s.settimeout(1); return s.recv(9)
def uring():
    return checked(libc.syscall(425, 4, ctypes.create_string_buffer(120)))
def route():
    s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    s.send(struct.pack("=IHHII", 28, 24, 0x405, 1, 0) + struct.pack("=BBBBBBBBI", 2, 0, 0, 0, 254, 3, 0, 1, 0))
    n = struct.unpack("=i", s.recv(4096)[16:20])[0]
    if n: raise OSError(-n, "")
    return "made"
attempt("sendmsg", lambda: sendmsg(far))
attempt("sendmsg to a name", lambda: sendmsg(near()))
attempt("sendmmsg", lambda: sendmmsg(far))
attempt("put off", lambda: put_off(far))
attempt("bound to a device", after(socket.SOL_SOCKET, 25, b"lo\0"))
attempt("marked", after(socket.SOL_SOCKET, 36, 1))
attempt("repaired", after(6, 19, 1))
attempt("QUIC", lambda: datagram(far))
attempt("QUIC to a name", lambda: datagram(near()))
attempt("multipath", lambda: socket.socket(2, 1, 262).connect(far))
attempt("packets", lambda: socket.socket(17, 3, 3))
attempt("vsock", lambda: socket.socket(40, 1).connect((2, 22)))
attempt("alg", lambda: socket.socket(38, 5))
attempt("sctp", lambda: socket.socket(2, 1, 132).connect(far))
attempt("dccp", lambda: socket.socket(2, 6, 33).connect(far))
attempt("route", route)
attempt("uring", uring)
attempt("abstract", lambda: socket.socket(socket.AF_UNIX).connect("\0sbx-test-3093"))
PYTHON
/usr/bin/python3 -c 'import socket, time
s = socket.socket(socket.AF_UNIX); s.bind("\0sbx-test-3093"); s.listen()
time.sleep(1000)' &
kill_later $!
: >"$internet/log"
eventually 20 grep -q sbx-test-3093 /proc/net/unix
/usr/bin/python3 "$scratch/round.py" 192.0.2.11 >"$scratch/control" 2>&1
for what in sendmsg sendmmsg 'put off' abstract; do
	unlike "control: without the sandbox: $what" "$(grep "^$what - " "$scratch/control")" ' - E'
done
ok "... gets there" log_has '^reached 192.0.2.11 7'
python a.example "import sys; sys.argv[1:] = ['192.0.2.11']
$(cat "$scratch/round.py")"
cp "$scratch/.out" "$scratch/round"
not_ok "nobody is reached by any way round" log_has '^reached'
for what in sendmsg 'sendmsg to a name' sendmmsg 'put off' 'bound to a device' marked repaired QUIC 'QUIC to a name' multipath packets vsock alg sctp dccp route uring abstract; do
	like "... $what" "$(grep "^$what - " "$scratch/round")" ' - E[A-Z]+$'
done

# ---- TLS -------------------------------------------------------------------------------------
cp "$TESTS/helper/tls_hello.py" "$scratch/tls.py"
cat >>"$scratch/tls.py" <<'PYTHON'
import socket, ssl, sys
def hello(name):
    context = ssl.create_default_context(); context.check_hostname = False; context.verify_mode = ssl.CERT_NONE
    i, o = ssl.MemoryBIO(), ssl.MemoryBIO(); c = context.wrap_bio(i, o, server_hostname=name)
    try: c.do_handshake()
    except ssl.SSLWantReadError: return o.read()
own, other = hello("a.example"), hello("b.example")
def bits(h): return [h[i:i + 1] for i in range(len(h))]
def records(h): return b"".join(bytes([22, 3, 1, 0, 1, byte]) for byte in h[5:])
def say(what, *parts):
    s = socket.create_connection(("a.example", 443), 20)
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        for part in parts: s.sendall(part)
        got = s.recv(5)
    except OSError: got = b""
    print(what, got[:1].hex() or "nothing", flush=True)
say("own", own)
say("own, byte by byte", *bits(own))
say("own, in records", records(own))
say("other", other)
say("other, byte by byte", *bits(other))
say("other, in records", records(other))
say("an alert before", bytes([21, 3, 1, 0, 2, 1, 90]) + other)
say("another before", bytes([20, 3, 1, 0, 1, 1]) + other)
say("empty before", bytes([22, 3, 1, 0, 0]) + other)
say("data before", bytes([23, 3, 1, 0, 0]) + other)
say("another version", bytes([22, 4, 1]) + other[3:])
say("an older version", bytes([22, 2, 0]) + other[3:])
say("own before what is hidden", hidden[b"a.example"])
say("other before what is hidden", hidden[b"b.example"])
say("none before what is hidden", hidden[b""])

for what, parts in twice.items(): print("asked again,", what, asked_again(socket.create_connection(("a.example", 443), 20), parts), flush=True)
PYTHON
if [ -e "$internet/zone.pem" ]; then
	: >"$internet/log"
	control=$(/usr/bin/python3 "$scratch/tls.py")
	for what in other 'other, in records' 'an alert before' 'another before' 'data before' \
		'other before what is hidden' 'none before what is hidden'; do
		ok "control: without the sandbox a server answers: $what" grep -qx "$what 1[56]" <<<"$control"
	done
	ok "... to the other name" log_has 'named b.example'
	for what in own other changed together 'without a name'; do
		ok "control: ... and to the other when it has asked again: $what" grep -qx "asked again, $what 2" <<<"$control"
	done
	python a.example "$(cat "$scratch/tls.py")"
	is "TLS that names another server, however it begins" "$out" "own 16
own, byte by byte 16
own, in records 16
other nothing
other, byte by byte nothing
other, in records nothing
an alert before nothing
another before nothing
empty before nothing
data before nothing
another version nothing
an older version nothing
own before what is hidden 16
other before what is hidden nothing
none before what is hidden nothing
asked again, own 2
asked again, other 1
asked again, changed 1
asked again, together 1
asked again, in one 0
asked again, without a name 1"
	not_ok "... which never hears of it" log_has 'named b.example'
fi

# ---- the gateway -----------------------------------------------------------------------------
# child PID N: the n-th that it started and that is there
child() { cut -d' ' -f"$2" "/proc/$1/task/$1/children"; }
# shellcheck disable=SC2012 # numbers
open_files() { ls "/proc/$1/fd" 2>/dev/null | wc -l; }
cat >"$scratch/flood.py" <<'PYTHON'
import os, signal, socket, struct, sys
address = socket.gethostbyname("a.example")
def connect(port):
    s = socket.socket(); s.settimeout(20); s.connect((address, port)); return s
def reset(s): s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)); s.close()
print("ready", flush=True); sys.stdin.readline()
for i in range(1500): reset(connect(7 if i % 3 else 19))
for i in range(300):
    s = socket.socket(); s.setblocking(False); s.connect_ex((address, 7)); s.close()
    try: connect(8)
    except ConnectionRefusedError: pass
# Of this sandbox, all of them: it has numbers of its own.
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for number in (signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
    for pid in range(1, 300):
        if pid != os.getpid():
            try: os.kill(pid, number)
            except OSError: pass
s = connect(7); s.sendall(b"alive"); print(s.recv(5)); s.shutdown(socket.SHUT_WR); print(s.recv(5)); s.close()
print("over", flush=True); sys.stdin.readline()
PYTHON
mkfifo "$scratch/say"
"$SBX/sbx-linux-sandbox" --cwd / --policy '{"permissions":{"fs":[{"path":"/","access":"read"}],"network":"hosts","hosts":["a.example"]}}' -- \
	/usr/bin/python3 -c "$(cat "$scratch/flood.py")" <"$scratch/say" >"$scratch/said" 2>&1 &
outer=$!
kill_later "$outer"
exec 7>"$scratch/say"
eventually 30 grep -q ready "$scratch/said"
gateway=$(child "$outer" 2)
before=$(open_files "$gateway")
settled() { [ "$(open_files "$gateway")" -le "$before" ]; }
echo >&7
eventually 120 grep -q "^over" "$scratch/said"
is "resets, refusals and signals without end: it still serves" "$(grep -v ready "$scratch/said" | tr '\n' ' ')" "b'alive' b'' over "
if [ "$before" != 0 ]; then
	ok "... and keeps nothing open" eventually 20 settled
else
	skip "... and keeps nothing open" "nobody but root sees its files"
fi
is "... as the same process" "$(child "$outer" 2)" "$gateway"
echo >&7
exec 7>&-
wait "$outer"
is "... to the end" "$?" 0

# ---- a reset is a reset ----------------------------------------------------------------------
/usr/bin/python3 -c 'import socket, struct, sys
def reset(s): s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)); s.close()
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); s.bind(("192.0.2.10", 5006)); s.listen(8)
open(sys.argv[1], "w").close()
c, _ = s.accept(); c.recv(1); reset(c)
c, _ = s.accept(); c.sendall(c.recv(1))
try: print(c.recv(10), flush=True)
except ConnectionResetError: print("reset", flush=True)' "$scratch/up" >"$scratch/heard" &
kill_later $!
eventually 20 test -e "$scratch/up"
python a.example 'import socket, struct
s = socket.create_connection(("a.example", 5006), 20); s.sendall(b"x")
try: print(s.recv(10))
except ConnectionResetError: print("reset")
s = socket.create_connection(("a.example", 5006), 20); s.sendall(b"y"); s.recv(1)
s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)); s.close()'
is "a reset of the server's is one" "$status $out" "0 reset"
ok "... and so is the command's" eventually 20 grep -q reset "$scratch/heard"
finish
