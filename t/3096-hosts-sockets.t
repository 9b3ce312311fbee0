#!/bin/bash
# With a list of hosts: sockets that are passed on, shared, exchanged or bound beside a
# connect() lead nowhere else, and what the command puts in its own way is its own loss.
zone='a.example A 192.0.2.10
b.example A 192.0.2.11'
. "${0%/*}/lib/internet.sh"
. "${0%/*}/lib/lib.sh"
need USERNS
cat >"$scratch/sockets.py" <<'PYTHON'
import ctypes, errno, os, socket, struct, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
far, near = ("192.0.2.11", 7), (socket.gethostbyname("a.example"), 7)
high = (near[0], 5009)
tries = int(os.environ.get("TRIES", 0)) # to win a race that can be won
def attempt(act):
    try: out = act()
    except OSError as e: out = errno.errorcode.get(e.errno, e)
    print(act.__name__, "-", out, flush=True)
def raw(to, family=2): return struct.pack("=H", family) + struct.pack(">H", to[1]) + socket.inet_aton(to[0]) + b"\0" * 8
def connect(s, address, size):
    if libc.connect(s.fileno(), (ctypes.c_char * 300).from_buffer_copy(address.ljust(300, b"\0")), size):
        raise OSError(ctypes.get_errno(), "")
    return s.getpeername()[0]
def echo(to=near, s=None):
    s = s or socket.socket(); s.settimeout(20); s.connect(to); s.sendall(b"x"); return s.recv(1) == b"x"
def reusing(*address):
    s = socket.socket(); s.setsockopt(1, 2, 1); s.bind(address); return s

def passed():
    a, b = socket.socketpair(); s = socket.socket()
    if os.fork() == 0:
        with socket.socket(fileno=socket.recv_fds(b, 1, 1)[1][0]) as t: b.send(errno.errorcode.get(t.connect_ex(far), "reached").encode())
        os._exit(0)
    socket.send_fds(a, [b"x"], [s.fileno()]); os.wait()
    return a.recv(20).decode()
def duplicated():
    s = socket.socket(); t = socket.socket(fileno=os.dup(s.fileno())); s.connect(near); t.connect(far); return t.getpeername()
def raced():
    got = set()
    for i in range(tries or 200):
        if far[0] in got: break
        with socket.socket() as s:
            both = [threading.Thread(target=s.connect_ex, args=(to,)) for to in (near, far)]
            for t in both: t.start()
            for t in both: t.join()
            try: got.add(s.getpeername()[0])
            except OSError: pass
    return "far" if far[0] in got else "never far"
def turning():
    text, stop, got = ctypes.create_string_buffer(raw(near), 16), [], set()
    def turn():
        while not stop: ctypes.memmove(text, raw(far), 16); ctypes.memmove(text, raw(near), 16)
    t = threading.Thread(target=turn); t.start()
    for i in range(tries or 400):
        if far[0] in got: break
        with socket.socket() as s:
            if libc.connect(s.fileno(), text, 16) == 0: got.add(s.getpeername()[0])
    stop.append(1); t.join()
    return "far" if far[0] in got else "never far"
def exchanged():
    s, u, stop = socket.socket(), socket.socket(socket.AF_UNIX), []
    def exchange():
        while not stop: os.dup2(s.fileno(), 50); os.dup2(u.fileno(), 50)
    os.dup2(u.fileno(), 50); t = threading.Thread(target=exchange); t.start()
    got = {libc.connect(50, ctypes.create_string_buffer(raw(far), 16), 16) for i in range(4000)}
    stop.append(1); t.join()
    return "far" if 0 in got else "never far"
def shorter(): return connect(socket.socket(10), struct.pack("=H", 10) + struct.pack(">H", 7) + b"\0" * 4 + socket.inet_pton(10, "::ffff:192.0.2.11"), 24)
def other_family(): return connect(socket.socket(10), raw(far), 16)
def longer(): return connect(socket.socket(), raw(far), 128)
def no_family(): return connect(socket.socket(), raw(far, 0), 16)
def scoped(): s = socket.socket(10); s.connect(("fe80::1", 7, 0, 1)); return "reached"
def routed(): s = socket.socket(); s.setsockopt(0, 4, b"\x83\x07\x04" + socket.inet_aton(far[0]) + b"\0"); return echo(near, s)
def range_by_number(): return sum(socket.socket().connect_ex(("198.18.%d.%d" % (i // 256, i % 256), 7)) == 0 for i in range(2, 600))
def simultaneous():
    b = reusing(*high); b.setblocking(False); b.connect_ex(("198.18.0.1", 5555))
    return echo(high, reusing("198.18.0.1", 5555))
def bound(): return echo(near, reusing("127.0.0.1", 0)), echo(near, reusing("198.18.0.1", 0))
def in_the_way():
    out = []
    for address in near[0], "":
        with reusing(address, high[1]) as own:
            own.setsockopt(1, 15, 1); own.listen(); out.append(echo(high)); own.setblocking(False)
            try: out.append(own.accept()[1])
            except BlockingIOError: out.append("nobody")
    return out
def queue_filled():
    for i in range(200):
        with socket.socket() as s:
            s.setblocking(False)
            try: s.sendto(b"x", 0x20000000, high)
            except OSError: pass
    return echo(high)
def name_server():
    for kind in socket.SOCK_STREAM, socket.SOCK_DGRAM:
        with socket.socket(type=kind) as s: s.setsockopt(1, 15, 1); s.setsockopt(1, 2, 1); s.bind(("127.0.0.1", 53))
for act in sys.argv[1:]: attempt(globals()[act])
PYTHON
/usr/bin/python3 -c 'import socket, sys, threading
s = socket.create_server(("192.0.2.10", 5009))
open(sys.argv[1], "w").close()
def echo(c):
    for part in iter(lambda: c.recv(100), b""): c.sendall(part)
while True: threading.Thread(target=echo, args=(s.accept()[0],), daemon=True).start()' "$scratch/up" 2>/dev/null &
kill_later $!
eventually 20 test -e "$scratch/up"

far_ones=(passed duplicated raced turning exchanged shorter other_family longer no_family scoped routed range_by_number)
: >"$internet/log"
run_sbx -s read-only -a never --allow-host a.example -- /usr/bin/python3 -c "$(cat "$scratch/sockets.py")" "${far_ones[@]}"
is "nobody else is connected" "$out" "passed - EACCES
duplicated - EISCONN
raced - never far
turning - never far
exchanged - never far
shorter - EACCES
other_family - EACCES
longer - EACCES
no_family - ENOTCONN
scoped - EACCES
routed - EPERM
range_by_number - 1"
is "... or hears anything" "$(grep -c '^reached 192.0.2.11' "$internet/log")" 0
TRIES=1000000 /usr/bin/python3 "$scratch/sockets.py" passed raced turning shorter longer >"$scratch/control" 2>&1
is "control: without the sandbox" "$(cat "$scratch/control")" "passed - reached
raced - far
turning - far
shorter - ::ffff:192.0.2.11
longer - 192.0.2.11"
run_sbx -s read-only -a never --allow-host a.example -- /usr/bin/python3 -c "$(cat "$scratch/sockets.py")" simultaneous bound in_the_way queue_filled name_server
is "sockets of its own at addresses of ours" "$out" "simultaneous - True
bound - (True, True)
in_the_way - [True, 'nobody', True, 'nobody']
queue_filled - True
name_server - EACCES"
finish
