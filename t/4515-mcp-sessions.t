#!/bin/bash
# sbx-run --mcp: commands that go on, and the network that all of them share.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/mcp.sh"
need PROGRAM python3
need USERNS

# shellcheck disable=SC2119
claims <<'END_OF_SCRIPT'
from mcp_client import Client, claim
import os, time

WS = os.environ["WS"]

def read_until(c, session, wanted, tool="read", **more):
    got = ""
    for _ in range(20):
        d = c.data(tool, session=session, **more)
        got += d["output"]
        if wanted in got or not d["running"]:
            break
        tool, more = "read", {}
    return got

with Client(["--auto"]) as c:
    c.initialize()
    d = c.data("start", command="echo up; exec cat", wait=10)
    claim("it starts and goes on", [d["session"], d["running"], d["output"], d["result"]], ["s1", True, "up\n", None])
    claim("typed to, it answers", read_until(c, "s1", "typed\n", "write", text="typed\n"), "typed\n")
    d = c.data("read", session="s1", wait=0)
    claim("nothing new", [d["output"], d["running"]], ["", True])
    c.data("write", session="s1", end=True, wait=0)
    claim("the end of its input is its end", c.data("read", session="s1", wait=10)["result"]["outcome"], "exited")
    claim("then nothing is typed", c.tool("write", session="s1", text="x")["isError"], True)
    d = c.data("stop", session="s1")
    claim("forgotten", [d["running"], c.tool("read", session="s1")["isError"], c.tool("read", session="nonsense")["isError"]], [False, True, True])

    d = c.data("start", command=["sh", "-c", "stty size; test -t 0 && test -t 1 && test -t 2 && echo terminal; exec sh"], pty=True, columns=100, rows=30, wait=10)
    got = d["output"] if "terminal" in d["output"] else d["output"] + read_until(c, d["session"], "terminal")
    claim("a terminal of its own", ["30 100" in got, "terminal" in got], [True, True])
    claim("that echoes", "sum=42" in read_until(c, d["session"], "sum=42", "write", text="echo sum=$((6*7))\n"), True)
    read_until(c, d["session"], "begun", "write", text="trap : INT; echo be''gun; sleep 60; echo done$?\n")
    claim("^C is a key", "done130" in read_until(c, d["session"], "done130", "write", text="\x03"), True)
    n = c.data("stop", session=d["session"], patience=10)
    claim("ended", [n["running"], n["result"] is not None], [False, True])

    d = c.data("start", command="yes x | head -c 5000000; echo; echo end; sleep 60", wait=0)
    time.sleep(1)
    d = c.data("read", session=d["session"], max_output=1048576, wait=5)
    claim("what nobody reads is bounded, and said", [d["skipped"] > 1000000, d["running"]], [True, True])
    claim("the end is there", c.data("read", session=d["session"], max_output=1048576, wait=0)["output"][-4:] if d["more"] else d["output"][-4:], "end\n")
    c.data("stop", session=d["session"])
    n = [c.data("start", command="sleep 60", wait=0).get("session") for _ in range(32)]
    claim("sessions are bounded", [len(set(n)), c.tool("start", command="sleep 60", wait=0)["isError"]], [32, True])
    claim("stopping makes room", [c.data("stop", session=n[0])["running"], c.tool("start", command="sleep 60", wait=0)["isError"]], [False, False])

# One network for all of them, and for nobody else.
with open(WS + "/serve.py", "w") as f:
    f.write("import socket,sys\ns=socket.create_server(('127.0.0.1', int(sys.argv[1])))\nprint('ready',flush=True)\n"
            "while True:\n    a,_=s.accept()\n    a.sendall(b'hello')\n    a.close()\n")
port = str(20000 + os.getpid() % 20000)
reach = ["python3", "-c", f"import socket;print(socket.create_connection(('127.0.0.1',{port}),5).recv(9).decode())"]
with Client(["--auto"]) as c, Client(["--auto"]) as other:
    c.initialize()
    other.initialize()
    claim("a server", c.data("start", command=["python3", "serve.py", port], wait=10)["output"], "ready\n")
    claim("is reached by what runs here", c.data("run", command=reach)["stdout"], "hello\n")
    claim("by sessions, too", c.data("start", command=reach, wait=10)["output"], "hello\n")
    claim("by nobody of another client", other.data("run", command=reach)["exit_code"], 1)
    import socket
    try:
        socket.create_connection(("127.0.0.1", int(port)), 2)
        claim("nor by the host", "reached", "refused")
    except OSError:
        claim("nor by the host", "refused", "refused")
END_OF_SCRIPT
finish
