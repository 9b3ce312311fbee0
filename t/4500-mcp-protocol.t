#!/bin/bash
# sbx-run --mcp: JSON-RPC and the life of a connection, in every version.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/mcp.sh"
need PROGRAM python3

# shellcheck disable=SC2119
claims <<'END_OF_SCRIPT'
from mcp_client import Client, claim
import json, os

def error(c, text):
    c.raw(text)
    m = c.next()
    return [m.get("id"), m["error"]["code"]] if m and "error" in m else m

with Client(["--auto"]) as c:
    claim("before initialize: refused", c.call("tools/list"), -32600)
    claim("... a tool as well", c.call("tools/call", {"name": "run", "arguments": {"command": "true"}}), -32600)
    claim("... but for ping", c.call("ping"), {})
    claim("initialize without params", c.call("initialize", {}), -32602)
    first = c.initialize()
    claim("the version that was asked for", first["protocolVersion"], "2025-11-25")
    claim("who it is", first["serverInfo"]["name"], "sbx")
    claim("what it can", sorted(first["capabilities"]), ["logging", "tools"])
    claim("a second time", c.call("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}}), -32600)
    claim("not JSON", error(c, "{"), [None, -32700])
    claim("not UTF-8", error(c, b'{"jsonrpc":"2.0","id":1,"method":"\xff"}'), [None, -32700])
    for half in (r"\ud83d", r"\uDE00", r"\ud83d\\ude00", r"\ud83dx\ude00", r"\ude00\ud83d"):
        claim("half of a character, to whoever asked: " + half, error(c, '{"jsonrpc":"2.0","id":"half","method":"tools/call","params":{"name":"run","arguments":{"command":"touch half ' + half + '"}}}'), ["half", -32700])
    for large in ("9" * 19, "-" + "9" * 30, "1e400", "1.0E+999"):
        claim("a number that is too large, to whoever asked: " + large, error(c, '{"jsonrpc":"2.0","id":1' + "0" * 17 + ',"method":"tools/call","params":{"name":"run","arguments":{"command":"touch half","timeout":[' + large + ',"\\"1e400"]}}}'), [10 ** 17, -32700])
    claim("... which runs nothing", os.path.exists(os.environ["WS"] + "/half"), False)
    claim("two halves are one, and what only looks like one is none", [c.data("run", command=["printf", "%s", "\U0001F600"])["stdout"], c.data("run", command=["printf", "%s", "\\ud83d"])["stdout"]], ["\U0001F600", "\\ud83d"])
    c.raw(r'{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"answer":"\ud83d"}}}')
    claim("no request: nobody to tell", c.next()["id"], None)
    claim("a member twice", error(c, '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'), [None, -32700])
    claim("no object", error(c, "1"), [None, -32600])
    claim("another version of JSON-RPC", error(c, '{"jsonrpc":"1.0","id":7,"method":"ping"}'), [7, -32600])
    claim("no method", error(c, '{"jsonrpc":"2.0","id":"x"}'), ["x", -32600])
    claim("an id that is none", error(c, '{"jsonrpc":"2.0","id":[1],"method":"ping"}'), [None, -32600])
    claim("null is no id", error(c, '{"jsonrpc":"2.0","id":null,"method":"ping"}'), [None, -32600])
    claim("half a number is no id", error(c, '{"jsonrpc":"2.0","id":1.5,"method":"ping"}'), [None, -32600])
    claim("params by position", error(c, '{"jsonrpc":"2.0","id":8,"method":"ping","params":[]}'), [8, -32600])
    claim("an unknown method", error(c, '{"jsonrpc":"2.0","id":9,"method":"resources/list"}'), [9, -32601])
    claim("an id of text comes back", c.wait(c.send("ping", number="a\u0000\u20ac")), {"jsonrpc": "2.0", "id": "a\u0000\u20ac", "result": {}})
    claim("a batch in a version without", error(c, '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'), [None, -32600])
    claim("brackets without end", error(c, "[" * 500000), [None, -32700])
    claim("more values than anybody means", error(c, "[" + "{}," * 300000 + "{}]"), [None, -32700])
    claim("a line of 17 MiB", error(c, '{"jsonrpc":"2.0","id":1,"method":"' + "x" * (17 << 20) + '"}'), [None, -32700])
    c.raw("")
    c.raw("\r")
    c.notify("notifications/nonsense")
    c.notify("ping")
    c.notify("tools/call", {"name": "run", "arguments": {"command": "touch called"}})
    c.notify("notifications/cancelled", {"requestId": 4711})
    c.say({"jsonrpc": "2.0", "id": 1, "result": {}})
    c.say({"jsonrpc": "2.0", "id": "x", "error": {"code": 1, "message": "?"}})
    claim("nothing of that is answered", c.wait(c.send("ping", number="after")), {"jsonrpc": "2.0", "id": "after", "result": {}})
    claim("nor heard", c.heard, [])
    claim("a level that is none", c.call("logging/setLevel", {"level": "loud"}), -32602)
    claim("one that is", c.call("logging/setLevel", {"level": "info"}), {})
    claim("an unknown page", c.call("tools/list", {"cursor": "x"}), -32602)
    claim("an unknown tool", c.call("tools/call", {"name": "no"}), -32602)
    claim("a tool without a name", c.call("tools/call", {}), -32602)
    claim("arguments that are no object", c.call("tools/call", {"name": "run", "arguments": []}), -32602)
    claim("wrong arguments are a result here", [c.tool("run", command=1)["isError"], c.tool("run")["isError"],
          c.tool("run", command="true", what=1)["isError"], c.tool("run", command="a\u0000b")["isError"],
          c.tool("run", command=[])["isError"], c.tool("run", command="true", timeout=-1)["isError"]], [True] * 6)
    claim("the end of its input is its end", c.close(), 0)

for wanted, got in (("2024-11-05", None), ("2025-03-26", None), ("2025-06-18", None), ("2024-10-07", "2025-11-25"),
                    ("2026-07-28", "2025-11-25"), ("9999-01-01", "2025-11-25")):
    with Client(["--auto"]) as c:
        claim("asked for " + wanted, c.initialize(wanted)["protocolVersion"], got or wanted)
        tools = c.call("tools/list")["tools"]
        version = got or wanted
        claim("its tools", [t["name"] for t in tools],
              ["run", "apply_patch", "check_path", "explain_policy", "start", "read", "write", "stop"])
        claim("what is said of them", sorted(tools[0]),
              sorted(["name", "description", "inputSchema"] + (["annotations"] if version >= "2025-03-26" else []) +
                     (["title", "outputSchema"] if version >= "2025-06-18" else [])))
        if version < "2025-11-25":
            claim("wrong arguments are an error here", c.tool("run"), -32602)

with Client(["--auto"]) as c:
    c.initialize("2025-03-26")
    c.raw('[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"id":2},'
          '{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}},5]')
    got = c.next()
    claim("a batch: one answer with all of them", [[m["id"], m.get("error", {}).get("code")] for m in got],
          [[1, None], [2, -32600], [3, -32600], [None, -32600]])
    c.raw('[{"jsonrpc":"2.0","method":"x"}]')
    claim("a batch of notifications: none", c.call("ping"), {})
    claim("an empty one", error(c, "[]"), [None, -32600])

with Client(["--auto"]) as c:
    bad = {"_meta": {"io.modelcontextprotocol/protocolVersion": "1900-01-01", "io.modelcontextprotocol/clientCapabilities": {}}}
    c.send("server/discover", bad)
    claim("without a handshake: a version nobody knows", c.next()["error"],
          {"code": -32022, "message": "Unsupported protocol version",
           "data": {"supported": ["2026-07-28"], "requested": "1900-01-01"}})
    claim("without capabilities", c.call("tools/list", {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}), -32602)
    c.modern()
    found = c.call("server/discover")
    claim("discovered", [found["supportedVersions"], sorted(found["capabilities"]), found["resultType"],
                         found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"]],
          [["2026-07-28"], ["logging", "tools"], "complete", "sbx"])
    claim("methods that are gone", [c.call("ping"), c.call("logging/setLevel", {"level": "info"}), c.call("initialize", {})], [-32601] * 3)
    listed = c.call("tools/list")
    claim("a list that can be kept", [listed["resultType"], listed["cacheScope"], len(listed["tools"])], ["complete", "public", 8])
    claim("a state that nobody gave", c.call("tools/call", {"name": "run", "arguments": {"command": "true"}, "requestState": "x"}), -32602)
# Lines that somebody pipes in, and a last one that is cut or has no end.
import subprocess
def piped(*messages, last=""):
    text = "".join(json.dumps({"jsonrpc": "2.0", **m}) + "\n" for m in messages) + last
    p = subprocess.run([os.environ["SBX"] + "/sbx-run", "--auto", "--mcp"], input=text.encode(), stdout=subprocess.PIPE, cwd=os.environ["WS"])
    return {m["id"]: m for m in map(json.loads, p.stdout.splitlines())}
tool = lambda number, name, **arguments: {"id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
begin = {"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}}
got = piped(begin, *[tool(n, "check_path", access="write", paths=["/etc/x", "x"]) for n in range(1, 4)], tool(4, "explain_policy"),
            tool(5, "run", command="sleep 1000; touch called"), last='{"jsonrpc":"2.0","id":6,"method":"tools/list"}')
claim("piped in: all is answered", sorted(got), list(range(7)))
claim("... as always", [[got[n]["result"]["structuredContent"]["allowed"] for n in (1, 3)], "writable_roots" in got[4]["result"]["structuredContent"], len(got[6]["result"]["tools"])], [[False] * 2, True, 8])
claim("... and a command is ended", got[5]["result"]["isError"], True)
asks = {**begin, "params": {"protocolVersion": "2025-11-25", "capabilities": {"roots": {}}}}
claim("a client that said nothing of its roots", piped(asks, tool(1, "check_path", access="read", paths=["/"]))[1]["result"]["isError"], True)
claim("a last line that is cut is no request", piped(begin, last='{"jsonrpc":"2.0","id":1,"method":"ping"')[None]["error"]["code"], -32700)
END_OF_SCRIPT
ok "no notification ran anything" absent "$ws/called"

run "$SBX/sbx-run" --auto --mcp -- true
is "with a command: refused" "$status" 125
for wrong in --json --escalate --explain --exec "--report json" "--learn" "--apply-patch"; do
	# shellcheck disable=SC2086
	run "$SBX/sbx-run" --mcp $wrong
	is "with $wrong: refused" "$status" 125
done
run "$SBX/sbx-run" -P nonsense --mcp
is "a policy that cannot be: said at the start" "$status" 125
like "... in a line" "$err" '^sbx-run: .*nonsense'
finish
