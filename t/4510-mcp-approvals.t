#!/bin/bash
# sbx-run --mcp: who is asked, and what is a yes.  Nothing else is.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/approver.sh"
. "$TESTS/lib/mcp.sh"
need PROGRAM python3
need USERNS
answer '{"decision":"approved"}'

claims APPROVER="$scratch/approver" HOME="$HOME" <<'END_OF_SCRIPT'
from mcp_client import Client, claim
import itertools, os, time

OUT = os.environ["OUTSIDE"]
ASK = ["-s", "workspace-write", "-a", "on-request"]
FORMS = {"elicitation": {}}
count = 0

def attempt(c, **more):
    """Asks for OUT, and whether anything was written there."""
    global count
    count += 1
    d = c.data("run", command=f"echo x >$O/{count}", env={"O": OUT}, additional_permissions={"write": [OUT]}, **more)
    return [d.get("outcome"), os.path.exists(f"{OUT}/{count}")]

def says(result):
    asked = []
    def answer(m):
        if m["method"] == "elicitation/create":
            asked.append(m["params"])
            return {"result": result} if result is not None else {"error": {"code": -1, "message": "no"}}
    return asked, answer

yes = {"action": "accept", "content": {"answer": "allow once"}}
asked, answer = says(yes)
with Client(ASK, on_request=answer) as c:
    c.initialize("2025-06-18", FORMS)
    claim("a yes is one", attempt(c, justification="to\nwhere    allow"), ["exited", True])
    text = asked[0]["message"]
    claim("the question names everything", [("write " + OUT) in text, "it says" in text, "in the sandbox" in text], [True] * 3)
    claim("no row of it is the command's own", [line for line in text.split("\n") if line.startswith("where")], ["where    in the sandbox"])
    schema = asked[0]["requestedSchema"]
    claim("one choice, without a default", [list(schema["properties"]), schema["required"], "default" in schema["properties"]["answer"],
          schema["properties"]["answer"]["enum"]], [["answer"], ["answer"], False, ["allow once", "allow for this session", "deny", "deny, and stop"]])
    claim("once is once", [attempt(c), len(asked)], [["exited", True], 2])
    claim("what the policy gives is no question", [c.data("run", command="true", additional_permissions={"read": ["/etc"]})["outcome"], len(asked)], ["exited", 2])
    d = c.data("run", command=f"echo x >$O/after", env={"O": OUT})
    claim("a denial is asked about, and run again", [d["outcome"], d["exit_code"], os.path.exists(OUT + "/after"), len(asked)], ["exited", 0, True, 3])

no = {"action": "decline"}
def question(options, tool="run", **more):
    """What the client is shown, in rows."""
    asked, answer = says(no)
    with Client(options, on_request=answer) as c:
        c.initialize("2025-11-25", FORMS)
        c.data(tool, **({"command": "touch nothing"} if tool == "run" else {}), **more)
    return asked[0]["message"].split("\n") if asked else None

def rows(text, head):
    return [line.split(maxsplit=1)[1] for line in text if line.startswith(head)]

claim("hosts do not hide that all of the network is asked for",
      rows(question(ASK, additional_permissions={"network": "on", "hosts": ["x.org"]}), "gives"),
      ["host x.org", "network on !! everything that this machine can reach"])
claim("hosts alone are just that", rows(question(ASK, hosts=["x.org"]), "gives"), ["host x.org"])
evil = {f"N{i}": "x" for i in range(30)} | {"LD_PRELOAD": "/ws/e.so", "PATH": "/ws/bin"}
shown = rows(question(["-s", "danger-full-access", "-a", "untrusted"], env=evil), "variable")
claim("variables of the model are shown, those that choose programs first",
      [sorted(shown[:2]), len(shown), shown[-1]], [["LD_PRELOAD=/ws/e.so", "PATH=/ws/bin"], 21, "12 more are NOT shown"])
claim("... and none where it gives none", rows(question(["-s", "workspace-write", "-a", "untrusted"]), "variable"), [])
outside_words = ["OUTSIDE the sandbox, with all your rights"]
text = question(ASK, justification="please\n" * 500, additional_permissions={"write": [OUT]})
heads = [line.split()[0] for line in text if line[:1].strip()]
claim("what a yes gives stands before what others say, which no length of it moves",
      [heads[:6], heads.index("it") > heads.index("gives")], [["May", "where", "gives", "once", "session", "command"], True])
def meant(text, head):
    """Of a row and those that go on with it."""
    first = next(i for i, line in enumerate(text) if line.startswith(head))
    rest = itertools.takewhile(lambda line: line.startswith(" "), text[first + 1:])
    return " ".join([text[first][9:], *(line.lstrip(" |") for line in rest)])
claim("what each yes means is said", [[words in " ".join(meant(text, head).split()) for words in said] for head, said in
      (("once", ("in the sandbox", "with just the grant")), ("session", ("without a question", "every command in this directory")))], [[True, True]] * 2)
patch = "*** Begin Patch\n" + "".join(f"*** Add File: {OUT}/f{i}\n+text\n" for i in range(30)) + "*** End Patch\n"
text = question(ASK, tool="apply_patch", patch=patch)
claim("a patch is shown, and of many files how many are not", [rows(text, "patch")[0], rows(text, "file")[-1], len(rows(text, "file"))], ["*** Begin Patch", "10 more are NOT shown", 21])
with Client(ASK) as c:
    c.initialize("2025-11-25", FORMS)
    claim("more than a person reads cannot be asked for", [c.tool("run", command="true", additional_permissions={what: [f"/x{i}" for i in range(33)]})["isError"]
          for what in ("write", "read", "hosts", "unix_sockets")] + [c.tool("run", command="true", hosts=["x.org"] * 33)["isError"]] + [len(c.heard)], [True] * 5 + [0])
for what, options, where in (("in a sandbox", ["-s", "workspace-write", "-a", "untrusted"], ["in the sandbox"]),
                             ("--forbid", ["-s", "workspace-write", "-a", "untrusted", "--forbid"], outside_words),
                             ("a policy without a sandbox", ["-s", "danger-full-access", "-a", "untrusted"], outside_words)):
    claim("the question says where: " + what, rows(question(options), "where"), where)

for what, result in (("decline", {"action": "decline"}), ("cancel", {"action": "cancel"}), ("an error", None),
                     ("nothing said", {"action": "accept"}), ("no content", {"action": "accept", "content": {}}),
                     ("another word", {"action": "accept", "content": {"answer": "yes"}}),
                     ("a truth", {"action": "accept", "content": {"answer": True}}),
                     ("an empty one", {}), ("declined with a yes", {"action": "decline", "content": {"answer": "allow once"}}),
                     ("deny", {"action": "accept", "content": {"answer": "deny"}}),
                     ("stop", {"action": "accept", "content": {"answer": "deny, and stop"}}),
                     ("the protocol's own word", {"action": "accept", "content": {"answer": "approved"}})):
    asked, answer = says(result)
    with Client(ASK, on_request=answer) as c:
        c.initialize("2025-11-25", FORMS)
        claim("no: " + what, [attempt(c), len(asked)], [["not-approved", False], 1])

asked, answer = says({"action": "accept", "content": {"answer": "allow for this session"}})
with Client(ASK, on_request=answer) as c:
    c.initialize("2025-11-25", FORMS)
    claim("for the session: asked once", [attempt(c), attempt(c), len(asked)], [["exited", True], ["exited", True], 1])

# Silence, in all its forms.
with Client(ASK) as c:
    c.initialize("2025-11-25", FORMS)
    n = c.send("tools/call", {"name": "run", "arguments": {"command": f"touch {OUT}/silent", "additional_permissions": {"write": [OUT]}}})
    c.pump(1)
    question = c.heard[0]
    claim("silence: it waits", [question["method"], os.path.exists(OUT + "/silent")], ["elicitation/create", False])
    c.say({"jsonrpc": "2.0", "id": 99999, "result": yes})
    c.say({"jsonrpc": "2.0", "id": str(question["id"]), "result": yes})
    claim("an answer to another id is none", [c.call("ping"), os.path.exists(OUT + "/silent")], [{}, False])
    c.notify("notifications/cancelled", {"requestId": n})
    c.pump(0.5)
    claim("a call that is cancelled takes its question back", c.heard[-1]["params"]["requestId"], question["id"])
    c.say({"jsonrpc": "2.0", "id": question["id"], "result": yes})
    claim("and a late yes is none", [c.call("ping"), c.wait(n, 0.5), os.path.exists(OUT + "/silent")], [{}, None, False])
    c.send("tools/call", {"name": "run", "arguments": {"command": f"touch {OUT}/died", "additional_permissions": {"write": [OUT]}}})
    c.pump(0.5)
claim("a client that goes away has said nothing", os.path.exists(OUT + "/died"), False)

# Who is asked where the client shows no forms.
for version, capabilities in (("2025-11-25", {}), ("2025-03-26", FORMS), ("2025-11-25", {"elicitation": {"url": {}}})):
    with Client(ASK) as c:
        c.initialize(version, capabilities)
        d = c.tool("run", command=f"touch {OUT}/none", additional_permissions={"write": [OUT]})
        claim(f"nobody to ask ({version}, {capabilities}): refused", ["not-approved" in d["content"][0]["text"], os.path.exists(OUT + "/none"), c.heard], [True, False, []])
        claim("... and how to approve, in a line", "--approver CMD beside --mcp" in d["content"][0]["text"], True)
with Client([*ASK, "--approver", os.environ["APPROVER"]]) as c:
    c.initialize()
    claim("the operator's approver is asked", [attempt(c), c.data("explain_policy")["who_is_asked"]], [["exited", True], "approver"])
with Client(["-s", "workspace-write", "-a", "never"], on_request=says(yes)[1]) as c:
    c.initialize("2025-11-25", FORMS)
    claim("never asks nobody, whatever the client can", [attempt(c), c.heard], [["not-approved", False], []])

# A terminal that the model types into is nobody to ask.
with Client(ASK) as c:
    c.initialize()
    r = c.data("start", command=f"touch {OUT}/typed", pty=True, wait=3, additional_permissions={"write": [OUT]})
    claim("no question stands on a session's terminal", [r["running"], r["result"]["outcome"], os.path.exists(OUT + "/typed")], [False, "not-approved", False])

for options in ([*ASK, "--approver", os.environ["APPROVER"]], [*ASK, "-c", f'sbx.approver=["{os.environ["APPROVER"]}"]']):
    with Client(options) as c:
        c.initialize()
        for pty, wanted in ((False, ["exited", True]), (True, ["not-approved", False])):
            r = c.data("start", command=f"touch {OUT}/pty{pty}", pty=pty, wait=3, additional_permissions={"write": [OUT]})
            claim(f"a program that could ask at that terminal is not asked ({options[-2]}, {pty})",
                  [r["running"] or r["result"]["outcome"], os.path.exists(f"{OUT}/pty{pty}")], wanted)
    if os.path.exists(OUT + "/ptyFalse"):
        os.unlink(OUT + "/ptyFalse")

# Where a server only answers.
def modern(c, answers, arguments, rounds=6):
    """A call that comes back with an answer as often as it is asked."""
    params = {"name": "run", "arguments": arguments}
    for _ in range(rounds):
        r = c.call("tools/call", params)
        if not isinstance(r, dict) or r.get("resultType") != "input_required":
            return r
        asked.append(r["inputRequests"])
        params = {"name": "run", "arguments": arguments, "requestState": r["requestState"], "inputResponses": answers}
    return r

asked = []
more = {"command": f"touch {OUT}/m1", "additional_permissions": {"write": [OUT]}}
with Client(ASK) as c:
    c.modern(FORMS)
    claim("asked in the answer; a yes goes on", [modern(c, {"approval": yes}, more)["structuredContent"]["outcome"], os.path.exists(OUT + "/m1"), [list(a) for a in asked]],
          ["exited", True, [["approval"]]])
    more["command"] = f"touch {OUT}/m2"
    claim("a no does not", [modern(c, {"approval": {"action": "decline"}}, more)["structuredContent"]["outcome"], os.path.exists(OUT + "/m2")], ["not-approved", False])
    asked = []
    claim("no answer: asked again", [modern(c, {}, more, 2)["resultType"], len(asked)], ["input_required", 2])
    r = c.call("tools/call", {"name": "run", "arguments": more})
    other = {**more, "command": f"touch {OUT}/m3"}
    claim("a yes for another command is none", [c.call("tools/call", {"name": "run", "arguments": other, "requestState": r["requestState"], "inputResponses": {"approval": yes}}), os.path.exists(OUT + "/m3")], [-32602, False])
    claim("a state is good once", [c.call("tools/call", {"name": "run", "arguments": more, "requestState": r["requestState"], "inputResponses": {"approval": yes}})["structuredContent"]["outcome"],
          c.call("tools/call", {"name": "run", "arguments": more, "requestState": r["requestState"], "inputResponses": {"approval": yes}})], ["exited", -32602])
    s = c.data("start", command=f"touch {OUT}/m4", wait=0)["session"]
    until = time.monotonic() + 20
    while (r := c.tool("read", session=s, wait=0))["resultType"] == "complete" and time.monotonic() < until:
        time.sleep(0.05)
    claim("a session's question is seen by who reads without waiting", r["resultType"], "input_required")
    c.modern({})
    claim("capabilities are of each request", c.tool("run", **more)["structuredContent"]["outcome"], "not-approved")
END_OF_SCRIPT
finish
