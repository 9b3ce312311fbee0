#!/bin/bash
# sbx-run --mcp and --narrow: where a client works takes away, and never gives.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/mcp.sh"
. "$TESTS/lib/policy.sh"
need PROGRAM python3
mkdir "$ws/a" "$ws/b" "$ws/c" "$ws/a/.git"
ln -s a "$ws/link"

narrowed() { run "$SBX/sbx-policy" -s workspace-write -C "$ws" "$@" -- true; }
narrowed --narrow "$ws/a" --narrow "$ws/b"
is "--narrow: two directories" "$(entry "$ws") $(entry "$ws/a") $(entry "$ws/b") $(entry "$ws/a/.git")" "read write write read"
is "... whose protected names are protected" "$(entry "$ws/b/.git") $(entry "$ws/b/.codex")" "read read"
narrowed --narrow "$ws/link"
is "a link is what it leads to" "$(entry "$ws") $(entry "$ws/a")" "read write"
for wrong in "$outside" "$ws/none" "$ws/.git" "$ws/a/.git" relative "$ws/a/../../outside"; do
	narrowed --narrow "$wrong"
	is "nothing is left of: ${wrong#"$scratch"}" "$(entry "$ws")$(entry "$outside")$(entry "$ws/a/.git")" "readabsentread"
done
narrowed --narrow ""
is "an empty one is refused" "$status" 2
for all in "$ws" / "$scratch"; do
	narrowed --narrow "$all"
	is "all is left of: ${all#"$scratch"}" "$(entry "$ws")" write
done
narrowed --add-dir "$outside" --add-dir "$ws/c" --narrow "$ws/a"
is "another root stays, one in the workspace does not" "$(entry "$outside") $(entry "$ws/c")" "write read"
run "$SBX/sbx-policy" -s read-only -C "$ws" --narrow "$ws/a" -- true
is "nothing is given" "$(ask .policy.permissions.fs)" '[{"path":"/","access":"read"}]'
run "$SBX/sbx-policy" -s danger-full-access -C "$ws" --narrow "$ws/a" -- true
is "where nothing would hold it: refused" "$status" 2

need USERNS
# shellcheck disable=SC2119
claims <<'END_OF_SCRIPT'
from mcp_client import Client, claim
import os

WS, OUT = os.environ["WS"], os.environ["OUTSIDE"]
ROOTS = {"roots": {"listChanged": True}}
roots = []

def answer(m):
    if m["method"] == "roots/list":
        return {"result": {"roots": [{"uri": "file://" + r} for r in roots]}} if roots is not None else {"error": {"code": -1, "message": "no"}}

def writable(c):
    out = c.data("run", command='for d in "$W" "$W/a" "$W/b" "$O" "$W/a/.git"; do touch "$d/x" 2>/dev/null && echo "${d##*/}"; done; true', env={"W": WS, "O": OUT}, cwd="/")
    return out["stdout"].split() if out.get("outcome") == "exited" else out

with Client(["--auto"]) as c:
    c.initialize()
    claim("control: a client without roots", writable(c), ["ws", "a", "b"])

with Client(["--auto"], on_request=answer) as c:
    roots = [WS + "/a"]
    c.initialize("2025-06-18", ROOTS)
    claim("a root in the workspace", [writable(c), c.data("run", command="pwd")["stdout"], c.data("explain_policy")["narrowed_to"]], [["a"], WS + "/a\n", [WS + "/a"]])
    claim("a patch as well", [c.data("apply_patch", patch="*** Begin Patch\n*** Add File: " + WS + "/b/new\n+x\n*** End Patch\n")["outcome"], os.path.exists(WS + "/b/new")], ["not-approved", False])
    roots = [OUT, WS + "/b"]
    c.notify("notifications/roots/list_changed")
    claim("the list changes; what is outside is not given", writable(c), ["b"])
    roots = [OUT, "/"]
    c.notify("notifications/roots/list_changed")
    claim("a root around it all changes nothing", writable(c), ["ws", "a", "b"])
    for what, roots in (("outside only", [OUT]), ("none", []), ("protected", [WS + "/a/.git"]), ("coded", [WS + "/%00a", WS + "/%"]), ("of another machine", ["//host" + WS])):
        c.notify("notifications/roots/list_changed")
        claim("roots " + what + ": nothing is writable", writable(c), [])
    roots = []
    c.notify("notifications/roots/list_changed")
    claim("an empty list is nothing to remark", c.data("run", command="true")["stderr"], "")
    roots = [WS + "/%61"]
    c.notify("notifications/roots/list_changed")
    claim("a URI is decoded", writable(c), ["a"])
    roots = None
    c.notify("notifications/roots/list_changed")
    claim("a client that has roots and does not list them: nothing runs", c.tool("run", command="true")["isError"], True)

with Client(["--auto"]) as c:
    c.modern({"roots": {}})
    r = c.tool("run", command="true")
    claim("without a handshake: asked in the answer", [r["resultType"], r["inputRequests"]["roots"]["method"]], ["input_required", "roots/list"])
    def narrow(result):
        return c.call("tools/call", {"name": "run", "arguments": {"command": f"cd {WS}; touch a/y 2>/dev/null && echo a; touch b/y 2>/dev/null && echo b; true", "cwd": "/"},
                                     "requestState": r["requestState"], "inputResponses": {"roots": result}})
    claim("... and narrowed", narrow({"roots": [{"uri": "file://" + WS + "/b"}]})["structuredContent"]["stdout"], "b\n")
    claim("no such answer", narrow({"roots": "all"}), -32602)
END_OF_SCRIPT
finish
