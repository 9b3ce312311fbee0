#!/bin/bash
# sbx-run --mcp: whoever cancels, goes away or dies, nothing goes on and nothing is left.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/mcp.sh"
need PROGRAM python3
need USERNS

# shellcheck disable=SC2119
claims <<'END_OF_SCRIPT'
from mcp_client import Client, claim
import os, signal, subprocess, sys, time

mark = str(60000 + os.getpid())  # seconds that nobody else sleeps

def sleepers(seconds):
    found = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                found += f.read().split(b"\0")[:2] == [b"sleep", seconds.encode()]
        except OSError:
            pass
    return found

def gone(seconds, limit=10):
    until = time.monotonic() + limit
    while sleepers(seconds) and time.monotonic() < until:
        time.sleep(0.02)
    return sleepers(seconds)

def there(seconds, count, limit=20):
    until = time.monotonic() + limit
    while sleepers(seconds) < count and time.monotonic() < until:
        time.sleep(0.02)
    return sleepers(seconds)

def deep(seconds):
    """Trees that do not want to end: in sessions of their own, deaf to signals."""
    return f"trap '' TERM HUP INT; (trap '' TERM HUP; setsid sleep {seconds} &) ; setsid sleep {seconds} & sleep {seconds}; sleep {seconds}"

def begin(c, seconds, **more):
    c.initialize()
    n = c.send("tools/call", {"name": "run", "arguments": {"command": deep(seconds)}})
    c.send("tools/call", {"name": "start", "arguments": {"command": deep(seconds), "wait": 60}})
    c.send("tools/call", {"name": "start", "arguments": {"command": deep(seconds), "pty": True, "wait": 60}})
    return n, there(seconds, 9)

with Client(["--auto"]) as c:
    c.initialize()
    n = c.send("tools/call", {"name": "run", "arguments": {"command": deep(mark + "1")}})
    claim("control: they run", there(mark + "1", 3), 3)
    c.notify("notifications/cancelled", {"requestId": n, "reason": "enough"})
    claim("cancelled: the whole tree ends", gone(mark + "1"), 0)
    claim("... without an answer", [c.wait(n, 0.3), c.call("ping")], [None, {}])

for number, (what, how) in enumerate((
        ("the client closes its end", lambda c: c.process.stdin.close()),
        ("the server is told to end", lambda c: c.process.terminate()),
        ("the server is killed", lambda c: c.process.kill()),
        ("the client reads no more", lambda c: c.process.stdout.close()))):
    seconds = mark + str(2 + number)
    c = Client(["--auto"])
    n, running = begin(c, seconds)
    claim(what + ": control", running, 9)
    how(c)
    claim(what + ": everything ends", gone(seconds), 0)
    c.close()

# A client that is killed while its server's pipes are its own.
seconds = mark + "9"
child = subprocess.Popen([sys.executable, "-c", f"""
from mcp_client import Client
import time
c = Client(["--auto"])
c.initialize()
c.send("tools/call", {{"name": "run", "arguments": {{"command": {deep(seconds)!r}}}}})
print(c.process.pid, flush=True)
time.sleep(600)
"""], stdout=subprocess.PIPE)
server = int(child.stdout.readline())
claim("a client that will be killed: control", there(seconds, 3), 3)
child.kill()
child.wait()
claim("a client is killed: everything ends", gone(seconds), 0)
until = time.monotonic() + 10
while os.path.exists(f"/proc/{server}") and time.monotonic() < until:
    time.sleep(0.02)
claim("the server as well", os.path.exists(f"/proc/{server}"), False)

# A supervisor that dies takes its command along, and its call fails.
with Client(["-s", "danger-full-access", "-a", "never"]) as c:
    c.initialize()
    n = c.send("tools/call", {"name": "run", "arguments": {"command": deep(mark + "7")}})
    claim("without a sandbox: control", there(mark + "7", 3), 3)
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as f:
                if int(f.read().rsplit(")", 1)[1].split()[1]) == c.process.pid:
                    with open(f"/proc/{pid}/cmdline", "rb") as f:
                        if b"--command-fd" in f.read():
                            os.kill(int(pid), signal.SIGKILL)
        except OSError:
            pass
    claim("its supervisor is killed: its call fails", c.wait(n)["result"]["structuredContent"]["outcome"], "failed")
    claim("and nothing of it goes on", gone(mark + "7"), 0)

# Children that the one who started the server left to it are nobody's strays.
c = Client(["--auto"], before=["sh", "-c", f"sleep {mark}8 & echo $! >$SCRATCH/pid; exec \"$0\" \"$@\""])
c.initialize()
n = c.send("tools/call", {"name": "run", "arguments": {"command": deep(mark + "6")}})
there(mark + "6", 3)
c.notify("notifications/cancelled", {"requestId": n})
claim("a command is cancelled, and what was there before goes on", [gone(mark + "6"), sleepers(mark + "8")], [0, 1])
c.close()
claim("... also after the end", sleepers(mark + "8"), 1)
with open(os.environ["SCRATCH"] + "/pid") as f:
    os.kill(int(f.read()), signal.SIGKILL)

# A client that does not read: the server waits, and goes on with it.
with Client(["--auto"]) as c:
    c.initialize()
    c.call("logging/setLevel", {"level": "debug"})
    many = [c.send("tools/call", {"name": "run", "arguments": {"command": "yes | head -c 3000000", "max_output": 1048576}}) for _ in range(6)]
    time.sleep(1.5)
    with open(f"/proc/{c.process.pid}/status") as f:
        size = int(next(line for line in f if line.startswith("VmRSS")).split()[1])
    claim("nobody reads: its memory is bounded", size < 200000, True)
    claim("who reads later gets all of it", [c.wait(n, 60)["result"]["structuredContent"]["left_out"]["stdout"] > 0 for n in many], [True] * 6)

# What a command prints is for whoever hears it, and nobody does after these.
def used(c):
    with open(f"/proc/{c.process.pid}/stat") as f:
        return sum(map(int, f.read().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")

with Client(["--auto"]) as c:
    c.initialize()
    n = c.send("tools/call", {"name": "run", "arguments": {"command": f"trap '' TERM; sleep {mark}4 & while :; do yes; done"}})
    claim("a flood: control", there(mark + "4", 1), 1)
    c.notify("notifications/cancelled", {"requestId": n})
    gone(mark + "4")
    with open(f"/proc/{c.process.pid}/status") as f:
        most = int(next(line for line in f if line.startswith("VmHWM")).split()[1])
    claim("a flood that is cancelled is not kept", most < 50000, True)

with Client(["-s", "workspace-write", "-a", "on-request"]) as c:
    c.modern({"elicitation": {}})
    claim("asked after something was printed", c.call("tools/call", {"name": "run", "arguments": {"command": "echo x; echo x >$OUTSIDE/x", "env": {"OUTSIDE": os.environ["OUTSIDE"]}}})["resultType"], "input_required")
    before = used(c)
    time.sleep(1)
    claim("waiting for the person takes no processor time", used(c) - before < 0.3, True)
END_OF_SCRIPT
finish
