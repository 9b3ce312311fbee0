#!/bin/bash
# What goes through the relay is what a direct connection would have: bytes out of
# band in their place, and nobody is turned away because many come at once, with names,
# connections or addresses.
zone='a.example A 192.0.2.10'
. "${0%/*}/lib/internet.sh"
. "${0%/*}/lib/lib.sh"
need USERNS

# ---- out of band -----------------------------------------------------------------------------
# A server that says what it hears, urgent or not, and then talks in the same way.
cat >"$scratch/urgent.py" <<'END'
import array, fcntl, socket, sys
def talk(s, words):
    for word in words:
        s.send(word, socket.MSG_OOB if word == b"!" else 0)
        for _ in word: s.recv(1)  # heard: of two urgent bytes on their way the first is an ordinary one
def listen(s):
    plain, urgent = b"", b""
    while True:
        first, mark = s.recv(1, socket.MSG_PEEK), array.array("i", [0])
        fcntl.ioctl(s, 0x8905, mark)  # SIOCATMARK
        if s.recv(1) in (b"", b"."): return plain, urgent
        if mark[0]: urgent += first
        else: plain += first
        s.sendall(b"+")
words = (b"one", b"!", b"two", b"!", b"!", b"three")
if sys.argv[1] == "server":
    l = socket.socket(); l.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); l.bind(("192.0.2.10", 5007)); l.listen(5)
    open(sys.argv[2], "w").close()
    for i in range(2):
        c, _ = l.accept(); c.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
        print(*listen(c), flush=True)
        talk(c, words); c.close()
else:
    s = socket.create_connection((sys.argv[2], 5007))
    s.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
    talk(s, words); s.sendall(b".")
    print(*listen(s))
END
/usr/bin/python3 "$scratch/urgent.py" server "$scratch/up" >"$scratch/heard" 2>&1 &
kill_later $!
eventually 20 test -e "$scratch/up"
is "control: urgent bytes without a sandbox" "$(/usr/bin/python3 "$scratch/urgent.py" client a.example 2>&1)" "b'onetwothree' b'!!!'"
run_sbx -s read-only -a never --allow-host a.example -- /usr/bin/python3 -c "$(cat "$scratch/urgent.py")" client a.example
is "from a server" "$status $out" "0 b'onetwothree' b'!!!'"
is "... and to it" "$(sort -u "$scratch/heard")" "b'onetwothree' b'!!!'"

# ---- many at once ----------------------------------------------------------------------------
cat >"$scratch/burst.py" <<'END'
import collections, errno, resource, socket, sys, threading
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
to = (socket.gethostbyname("a.example"), 7)
count, kept = collections.Counter(), []
def one():
    s = socket.socket()
    try: s.connect(to); count["connected"] += 1
    except OSError as e: count[errno.errorcode[e.errno]] += 1
    kept.append(s)
threads = [threading.Thread(target=one) for _ in range(500)]
print("ready", flush=True); sys.stdin.readline()
for t in threads: t.start()
for t in threads: t.join()
print("over", *("%s %d" % of for of in count.items()), flush=True)
END
# child PID N: the n-th that it started and that is there
child() { cut -d' ' -f"$2" "/proc/$1/task/$1/children"; }
# Of 500, some wait to be heard.
wait_for_the_gateway() { [ "$(find "/proc/$outer/task" -maxdepth 1 | wc -l)" -gt 200 ]; }
mkfifo "$scratch/say"
"$SBX/sbx-linux-sandbox" --cwd / --policy '{"permissions":{"fs":[{"path":"/","access":"read"}],"network":"hosts","hosts":["a.example"]}}' -- \
	/usr/bin/python3 -c "$(cat "$scratch/burst.py")" <"$scratch/say" >"$scratch/said" 2>&1 &
outer=$!
kill_later "$outer"
exec 7>"$scratch/say"
eventually 30 grep -q ready "$scratch/said"
gateway=$(child "$outer" 2)
kill -STOP "$gateway"
echo >&7
eventually 30 wait_for_the_gateway
kill -CONT "$gateway"
eventually 60 grep -q over "$scratch/said"
is "500 connections while the gateway has other things to do" "$(tail -n 1 "$scratch/said")" "over connected 500"
exec 7>&-
wait "$outer"

# ---- a silent far end ------------------------------------------------------------------------
# What the command wants to be asked of a connection that says nothing is asked of the far end.
"$SBX/sbx-run" -s read-only -a never --allow-host a.example -- /usr/bin/python3 -c 'import socket, sys
kept = []
for idle in 0, 1000:
    s = socket.socket()
    if idle: s.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1); s.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, idle)
    s.connect((socket.gethostbyname("a.example"), 7)); s.sendall(b"x"); s.recv(1); kept.append(s)
print("ready", flush=True); sys.stdin.readline()' <"$scratch/say" >"$scratch/kept" 2>&1 &
outer=$!
kill_later "$outer"
exec 7>"$scratch/say"
eventually 30 grep -q ready "$scratch/kept"
far_ends() { ss -Htno state established 'dport = :7' | sort; }
is "two connections" "$(far_ends | wc -l)" 2
like "... one of which is looked after, as its client wants it" "$(far_ends | grep -o 'timer:.*' | tr '\n' ' ')" '^timer:\(keepalive,1[56]min,0\) $'
echo >&7
exec 7>&-
wait "$outer"

# ---- a signal while it waits -------------------------------------------------------------------
# A server whose queue is full until somebody knocks at the next port.
cat >"$scratch/full.py" <<'END'
import socket, sys, time
full, knock = socket.create_server(("192.0.2.10", int(sys.argv[1])), backlog=0), socket.create_server(("192.0.2.10", int(sys.argv[1]) + 1))
held = [socket.socket() for _ in range(3)]
for s in held: s.setblocking(False); s.connect_ex(full.getsockname())
while held[0].getsockopt(6, 11, 1) != b"\1": time.sleep(0.01)
open(sys.argv[2], "w").close()
knock.accept()
while True: held.append(full.accept())
END
cat >"$scratch/signals.py" <<'END'
import ctypes, errno, os, select, signal, socket, struct, sys
libc, host, far = ctypes.CDLL(None, use_errno=True), socket.gethostbyname("a.example"), int(sys.argv[1])
address = lambda port: struct.pack("=H", 2) + struct.pack(">H", port) + socket.inet_aton(host) + b"\0" * 8
class Over(Exception): pass
def over(*_): raise Over
def connect(s): return errno.errorcode[ctypes.get_errno()] if libc.connect(s.fileno(), address(far), 16) else 0
def ring(handler, restart): signal.signal(signal.SIGALRM, handler); signal.siginterrupt(signal.SIGALRM, not restart); signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
def quiet(): signal.setitimer(signal.ITIMER_REAL, 0)
def knock():
    if os.fork(): return
    signal.sigtimedwait([], 0.3); socket.create_connection((host, far + 1)); os._exit(0)
def bounded():
    ring(over, False)
    try: socket.socket().connect((host, far)); return "connected"
    except Over: return "over"
    finally: quiet()
def bounded_inside(family, name):
    server = socket.socket(family); server.bind(name); server.listen(0); held = [socket.socket(family) for _ in range(3)]
    for s in held: s.setblocking(False); s.connect_ex(server.getsockname())
    ring(over, False)
    try: socket.socket(family).connect(server.getsockname()); return "connected"
    except Over: return "over"
    finally: quiet()
def said():
    s = socket.socket(); ring(lambda *_: None, False); first = connect(s); quiet(); s.setblocking(False); second = connect(s)
    p = select.poll(); p.register(s, select.POLLOUT); return first, second, p.poll(0)
def again():
    s = socket.socket(); ring(lambda *_: None, True); knock(); out = connect(s); quiet(); os.wait(); return out
def timed(): s = socket.socket(); s.setsockopt(1, 21, struct.pack("ll", 0, 100000)); return connect(s)
print(bounded(), said(), timed(), bounded_inside(2, ("127.0.0.1", 0)), bounded_inside(1, "\0sbx-test-3095"), again())
END
for port in 5008 5010; do
	/usr/bin/python3 "$scratch/full.py" $port "$scratch/full.$port" >/dev/null 2>&1 &
	kill_later $!
	eventually 20 test -e "$scratch/full.$port"
done
native=$(timeout 30 /usr/bin/python3 "$scratch/signals.py" 5008 2>&1)
is "control: signals and times without a sandbox" "$native" "over ('EINTR', 'EALREADY', []) EINPROGRESS over over 0"
run_sbx -s read-only -a never --allow-host a.example -- timeout 30 /usr/bin/python3 -c "$(cat "$scratch/signals.py")" 5010
is "... are the same with a list" "$status $out" "0 $native"

# ---- many addresses --------------------------------------------------------------------------
# Each that was tried, or had from a name, keeps an address inside for the rest of the run.
run_sbx -s read-only -a never --allow-host 192.0.2.10 --allow-host 10.0.0.0/16 --allow-host a.example -- /usr/bin/python3 -c 'import errno, socket
said = set()
for i in range(16500):
    with socket.socket() as s: said.add(s.connect_ex(("10.0.%d.%d" % (i // 256, i % 256), 7)))
print(errno.ENOBUFS in said, socket.create_connection(("a.example", 7), 20).getpeername()[1], socket.create_connection(("192.0.2.10", 7), 20).getpeername()[1])'
is "16500 addresses, and then a name" "$status $out" "0 False 7 7"

# ---- many names at once ----------------------------------------------------------------------
# A name server that says nothing: what is answered before the last of all was refused.
kill -STOP "$internet_server"
run_sbx -s read-only -a never --allow-host '*.example' -- /usr/bin/python3 -c 'import socket
s = socket.socket(type=socket.SOCK_DGRAM); s.settimeout(20)
def ask(id, name): s.sendto(id + b"\1\0\0\1\0\0\0\0\0\0" + b"".join(bytes([len(l)]) + l for l in name) + b"\0\0\1\0\1", ("127.0.0.1", 53))
for i in range(300):
    ask(b"no", (b"n%d" % i, b"example"))
    if i % 50 == 0: ask(b"up", (b"unlisted",)) # and all before it are out of the queue
    while i % 50 == 0 and s.recv(600)[:2] != b"up": print("refused")
ask(b"up", (b"unlisted",))
while s.recv(600)[:2] != b"up": print("refused")
print("all wait")'
kill -CONT "$internet_server"
is "300 names that an answer takes long for" "$status $out" "0 all wait"
finish
