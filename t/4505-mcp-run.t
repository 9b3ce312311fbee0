#!/bin/bash
# sbx-run --mcp: commands, their results and their output, many at once.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/mcp.sh"
need PROGRAM python3
need USERNS

claims MANY="$(long 16 50)" <<'END_OF_SCRIPT'
from mcp_client import Client, claim
import os, time

WS, OUT, MANY = os.environ["WS"], os.environ["OUTSIDE"], int(os.environ["MANY"])

with Client(["--auto"]) as c:
    c.initialize()
    r = c.tool("run", command="echo out; echo err >&2; exit 3")
    d = r["structuredContent"]
    claim("a command: its streams and its status", [d["outcome"], d["exit_code"], d["stdout"], d["stderr"], r["isError"]],
          ["exited", 3, "out\n", "err\n", False])
    claim("the same in words", r["content"][0]["text"], "out\n[stderr]\nerr\n[exit code 3]\n")
    claim("words, which no shell reads", c.data("run", command=["printf", "%s|", "a b", "$HOME"])["stdout"], "a b|$HOME|")
    claim("nothing to read", c.data("run", command="cat; echo $?")["stdout"], "0\n")
    claim("where it runs", [c.data("run", command="pwd")["stdout"], c.data("run", command="pwd", cwd="/")["stdout"]], [WS + "\n", "/\n"])
    os.mkdir(WS + "/deep")
    claim("... from the workspace on", c.data("run", command="pwd", cwd="deep")["stdout"], WS + "/deep\n")
    claim("a directory that is none", [c.data("run", command="true", cwd="none")["outcome"], c.tool("run", command="true", cwd="none")["isError"]], ["failed", True])
    claim("a variable", c.data("run", command="echo $X$SBX_SESSION", env={"X": "1", "SBX_SESSION": "no"})["stdout"], "1\n")
    claim("a name that is none", c.tool("run", command="true", env={"A=B": "1"})["isError"], True)
    claim("bytes that are no text", c.data("run", command=r"printf '\377\0'")["stdout"], {"base64": "/wA="})
    claim("not found", [c.data("run", command=["no-such-command"])[k] for k in ("outcome", "exit_code")], ["not-found", 127])
    claim("a limit", [c.data("run", command="sleep 60", timeout=0.2)[k] for k in ("outcome", "exit_code")], ["timed-out", 124])
    claim("killed", [c.data("run", command="kill -9 $$")[k] for k in ("outcome", "signal")], ["signalled", 9])
    d = c.data("run", command="echo first; seq 200000; echo last", max_output=2048)
    claim("much output: its two ends", [d["stdout"][:6], d["stdout"][-5:], len(d["stdout"]) < 2200, d["left_out"]["stdout"] > 1000000], ["first\n", "last\n", True, True])
    d = c.data("run", command="echo x >$O/x", env={"O": OUT})
    claim("what is denied, and the least that would help", [d["denied"], d["denials"][0]["path"], d["suggestions"][0]["additional_permissions"]],
          [True, OUT + "/x", {"write": [OUT]}])
    claim("under never nobody is asked for it", c.data("run", command="true", additional_permissions={"write": [OUT]})["outcome"], "not-approved")
    claim("no permission leaves the sandbox", c.tool("run", command="true", additional_permissions={"sandbox": "none"})["isError"], True)
    claim("nothing is open inside but three", c.data("run", command=["ls", "/proc/self/fd"])["stdout"].split(), ["0", "1", "2", "3"])
    claim("a patch", [c.data("apply_patch", patch="*** Begin Patch\n*** Add File: new\n+text\n*** End Patch\n")["outcome"], open(WS + "/new").read()], ["exited", "text\n"])
    d = c.data("apply_patch", patch="*** Begin Patch\n*** Add File: " + OUT + "/new\n+text\n*** End Patch\n")
    claim("one that leaves the workspace", [d["outcome"], os.path.exists(OUT + "/new")], ["not-approved", False])
    claim("paths", [c.data("check_path", access="write", paths=["x", ".git/config"])["allowed"], c.data("check_path", access="write", paths=["x"])["allowed"],
                    [v["allowed"] for v in c.data("check_path", access="read", paths=["/etc/passwd"])["verdicts"]]], [False, True, [True]])
    d = c.data("explain_policy")
    claim("the policy", [d["workspace"], d["mode"], d["approval_policy"], d["who_is_asked"], d["narrowed_to"]], [WS, "workspace-write", "never", "nobody", None])

    # While it runs.
    n = c.send("tools/call", {"name": "run", "arguments": {"command": "for i in 1 2 3; do echo $i; sleep 0.15; done"}, "_meta": {"progressToken": "p"}})
    c.wait(n)
    told = [m["params"] for m in c.heard]
    claim("progress has what is printed", ["".join(p["message"] for p in told), {p["progressToken"] for p in told} == {"p"}], ["1\n2\n3\n", True])
    claim("... and never goes back", [p["progress"] for p in told] == sorted({p["progress"] for p in told}), True)
    claim("... as it is printed", len(told) > 1, True)
    c.heard = []
    c.tool("run", command="echo quiet")
    claim("who did not ask is told nothing", c.heard, [])
    c.call("logging/setLevel", {"level": "info"})
    c.tool("run", command="printf 'a\\303'; sleep 0.2; printf '\\244'")
    claim("a log of it, in whole characters", "".join(m["params"]["data"]["output"] for m in c.heard), "a\u00e4")
    c.call("logging/setLevel", {"level": "error"})
    c.heard = []
    c.tool("run", command="echo quiet")
    claim("a higher level: none", c.heard, [])

    # Many at once.
    began = time.monotonic()
    numbers = [c.send("tools/call", {"name": "run", "arguments": {"command": f"sleep 0.5; echo {i}"}}) for i in range(MANY)]
    got = [c.wait(n, 60)["result"]["structuredContent"]["stdout"] for n in numbers]
    claim("calls at once, each its own", got, [f"{i}\n" for i in range(MANY)])
    claim("... not one after the other", time.monotonic() - began < 25, True)
    c.send("tools/call", {"name": "run", "arguments": {"command": "sleep 30"}}, "twice")
    c.send("ping", number="twice")
    claim("an id that is under way", c.wait("twice")["error"]["code"], -32600)

with Client(["--auto", "--timeout", "300ms"]) as c:
    c.initialize()
    claim("the operator's limit is the most", [c.data("run", command="sleep 60", timeout=50)["outcome"], c.data("run", command="sleep 60")["outcome"]], ["timed-out"] * 2)

with Client(["-s", "read-only", "-a", "never"]) as c:
    c.modern()
    r = c.tool("run", command="echo hi")
    claim("without a handshake", [r["resultType"], r["structuredContent"]["stdout"]], ["complete", "hi\n"])
    n = c.send("tools/call", {"name": "run", "arguments": {"command": "echo a"}, "_meta": {"io.modelcontextprotocol/logLevel": "debug"}})
    c.wait(n)
    claim("... a log for the call that names a level", [m["method"] for m in c.heard], ["notifications/message"])
    c.heard = []
    c.tool("run", command="echo b")
    claim("... and for no other", c.heard, [])
END_OF_SCRIPT
finish
