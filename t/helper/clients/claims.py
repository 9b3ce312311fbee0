#!/usr/bin/env python3
"""What the client for Python does, as TAP.  claims.py WORKSPACE OUTSIDE: two empty directories."""

import asyncio
import concurrent.futures
import doctest
import json
import os
import pwd
import subprocess
import sys
import threading
import time

import sbx

ws, outside = sys.argv[1:]
os.chdir(ws)
count = failed = 0


def claim(what, got, wanted=True):
    global count, failed
    count += 1
    failed += got != wanted
    print(f"{'ok' if got == wanted else 'not ok'} {count} - {what}", flush=True)
    if got != wanted:
        print(f"# got:    {got!r}\n# wanted: {wanted!r}", file=sys.stderr)


policy = dict(cwd=ws, sandbox="workspace-write")
never = dict(policy, ask="never")
place = os.path.join(outside, "x")
touch = ["touch", place]

found = doctest.testmod(sbx)
claim("the examples of its documentation", (found.failed, found.attempted > 5), (0, True))
result = sbx.run(["sh", "-c", "cat; echo err >&2; exit 3"], input=b"in\n", **never)
claim("status and output", (result.status, result.outcome, result.stdout, result.stderr.split(b"\n")[0]), (3, "exited", b"in\n", b"err"))
claim("not found", sbx.run(["no-such-program"], **never).outcome, "not-found")
claim("timed out", sbx.run(["sleep", "9"], timeout=0.2, **never).outcome, "timed-out")
claim("a signal", sbx.run(["sh", "-c", "kill -9 $$"], **never).signal, 9)
claim("wrong usage is ours", sbx.run(["true"], options=["--bogus"], **never).outcome, "failed")
claim("a variable", sbx.run(["sh", "-c", "echo $A"], env={"A": "b=c"}, **never).text, "b=c\n")
claim("bytes in words", sbx.run(["printf", "%s", b"\xff\n-"], **never).stdout, b"\xff\n-")
claim("much output is cut", len(sbx.run(["head", "-c", "300000", "/dev/zero"], output_max=1000, **never).stdout), 1000)
try:
    sbx.run(["false"], **never).check()
except sbx.Failed as error:
    claim("check() raises", error.result.status, 1)
result = sbx.run(touch, **never)
claim("a denial is an object", (result.denied, os.path.exists(place)), (True, False))
observed = bool(result.denials)
if observed:
    claim("with what would allow it", (result.denials[0].path, result.denials[0].grant), (place, {"write": [outside]}))

# Approvers.
asked = []


def granting(request):
    asked.append(request)
    return sbx.approve(grant=request.grant)


def raising(request):
    raise ValueError("no")


untrusted = dict(policy, ask="untrusted")
if observed:
    claim("a grant after a denial", (sbx.run(touch, ask="on-request", approver=granting, **policy).status, os.path.exists(place)), (0, True))
    claim("the request has what is possible", (asked[0].command, asked[0].options[0], asked[0].denials[0].path), (tuple(touch), "grant", place))
made = os.path.join(ws, "made")
for what, approver, wanted in (
        ("True", lambda request: True, 0), ("False", lambda request: False, 126), ("None", lambda request: None, 126),
        ("1", lambda request: 1, 126), ("an exception", raising, 126), ("deny()", lambda request: sbx.deny("x"), 126),
        ("an answer that is none", lambda request: {"decision": "yes"}, 126)):
    claim(f"an approver that says {what}", sbx.run(["touch", made], approver=approver, **untrusted).status, wanted)
result = sbx.run(["touch", made], approver=lambda request: {"decision": "approved", "grant": {1}}, **untrusted)
claim("one whose answer cannot be sent has said no", (result.status, "TypeError" in json.dumps(result.document)), (126, True))


class Speechless(Exception):
    def __str__(self):
        raise ValueError


def speechless(request):
    raise Speechless


began = time.monotonic()
sbx.run(["touch", made], approver=speechless, **untrusted)
claim("an exception without words is a no at once", time.monotonic() - began < 30)
with sbx.Session(approver=lambda request: sbx.deny("no \udcff") if "no" in request.command else True, **untrusted) as session:
    claim("a reason that is no UTF-8 is a no, and other answers count", (session.run(["touch", "no"]).status, session.run(["touch", made]).status), (126, 0))
if observed:
    odd = os.path.join(os.fsencode(outside), b"\xff")
    os.mkdir(odd)
    give = lambda request: sbx.approve(grant={"write": [os.fsdecode(odd)]})
    claim("a path that is no UTF-8 can be given", (sbx.run(["touch", odd + b"/x"], approver=give, ask="on-request", **policy).status, os.listdir(odd)), (0, [b"x"]))
gone = threading.Event()


def waiting(request):
    while not request.cancelled:
        time.sleep(0.02)
    gone.set()
    return True


claim("one that is too late", sbx.run(["touch", made], approver=waiting, approver_timeout=0.3, **untrusted).status, 126)
claim("is told so", gone.wait(5))

# Streams.
pieces = list(sbx.stream(["sh", "-c", "echo a; echo b >&2"], **never))
claim("a stream", sorted(kind for kind, what in pieces), ["end", "event", "stderr", "stdout"])
claim("ends with the result", (pieces[-1][0], pieces[-1][1].status), ("end", 0))
began = time.monotonic()
for kind, what in sbx.stream(["sh", "-c", "echo a; sleep 9"], **never):
    claim("comes while the command runs", (kind, what), ("stdout", b"a\n"))
    break
claim("one that is left ends the command", time.monotonic() - began < 8)



def fails(raised, argv, **how):
    try:
        sbx.run(argv, **{**never, **how})
    except raised:
        return True
    return False


def broken(data):
    raise ArithmeticError


def settles(get, wanted):
    until = time.monotonic() + 20
    while get() != wanted and time.monotonic() < until:
        time.sleep(0.02)
    return get()


claim("what a function raises ends the command", fails(ArithmeticError, ["sh", "-c", "echo a; sleep 60"], on_stdout=broken))
opened = os.listdir("/proc/self/fd")
claim("words that are none", [fails(sbx.Error, ["true"], allow="x", approver=bool), fails(TypeError, [1], on_event=bool), fails(ValueError, ["a\0"], approver=bool),
                              fails(sbx.Error, ["true"], program="/none", approver=bool, on_event=bool)], [True] * 4)
claim("... leave nothing open", len(os.listdir("/proc/self/fd")), len(opened))
flood = ["sh", "-c", "yes | head -c 30000000; touch flooded"]
threads = threading.active_count()
pieces = sbx.stream(flood, **never)
first = next(pieces)
time.sleep(1)
claim("a command that prints more than is read waits", os.path.exists("flooded"), False)
claim("... and goes on", (len(first[1]) + sum(len(what) for kind, what in pieces if kind == "stdout"), os.path.exists("flooded")), (30000000, True))
for kind, what in sbx.stream(["yes"], **never):
    break
claim("nothing is left of one that is left", settles(threading.active_count, threads), threads)



def sleepers(seconds):
    found = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as words:
                found += words.read().split(b"\0")[:2] == [b"sleep", seconds.encode()]
        except OSError:
            pass
    return found


for form in ("sbx.run(%s)", "asyncio.run(sbx.run_async(%s))", "sbx.Session().run(%s)"):
    seconds = str(90000 + os.getpid())
    words = f"['sleep', '{seconds}'], cwd={ws!r}, sandbox='workspace-write', ask='never'"
    caller = subprocess.Popen([sys.executable, "-c", "import asyncio, sbx; " + form % words])
    claim(f"control: {form % '...'} runs", settles(lambda: sleepers(seconds), 1), 1)
    caller.kill()
    caller.wait()
    claim("a process that is killed leaves nothing running", settles(lambda: sleepers(seconds), 0), 0)

# Sessions.
asked.clear()


def for_session(request):
    asked.append(request.options)
    return sbx.approve(session=True)


with sbx.Session(for_session, **untrusted) as session:
    claim("a session remembers", [session.run(["touch", made]).status for _ in range(3)], [0, 0, 0])
    claim("and asks once", (len(asked), "approved_for_session" in asked[0]), (1, True))
with sbx.Session(**untrusted) as session:
    claim("one without an approver refuses", session.run(["touch", made]).status, 126)


async def coroutines():
    async def slow(request):
        await asyncio.sleep(0.05)
        return True

    result = await sbx.run_async(["touch", made], approver=slow, **untrusted)
    claim("async: an approver that is a coroutine", result.status, 0)
    async with sbx.AsyncSession(slow, **untrusted) as session:
        several = await asyncio.gather(*[session.run(["sh", "-c", f"touch made; echo {i}"]) for i in range(6)])
        claim("async: side by side in a session", [one.text for one in several], [f"{i}\n" for i in range(6)])
        kinds = [kind async for kind, what in session.stream(["echo", "a"])]
        claim("async: a stream", (sorted(kinds), kinds[-1]), (["end", "event", "stdout"], "end"))
    os.unlink("flooded")
    pieces = sbx.stream_async(flood, **never)
    kind, first = await pieces.__anext__()
    await asyncio.sleep(1)
    claim("async: a command that prints more than is read waits", os.path.exists("flooded"), False)
    claim("async: ... and goes on", (len(first) + sum([len(what) async for kind, what in pieces if kind == "stdout"]), os.path.exists("flooded")), (30000000, True))
    pieces = sbx.stream_async(["yes"], **never)
    await pieces.__anext__()
    await pieces.aclose()
    claim("async: nothing is left of one that is left", settles(threading.active_count, threads), threads)
    asyncio.get_running_loop().set_default_executor(concurrent.futures.ThreadPoolExecutor(1))
    long = asyncio.ensure_future(sbx.run_async(["sleep", "60"], **never))
    await asyncio.sleep(0)
    short = asyncio.ensure_future(sbx.run_async(["true"], **never))
    done, _ = await asyncio.wait({long, short}, return_when=asyncio.FIRST_COMPLETED)
    claim("async: none waits for the threads of another", done, {short})
    long.cancel()
    began = time.monotonic()
    try:
        await asyncio.wait_for(sbx.run_async(["sleep", "9"], **never), 0.3)
    except asyncio.TimeoutError:
        claim("async: cancelling ends the command", time.monotonic() - began < 8)


asyncio.run(coroutines())

# Where the program is.


def nobody(uid):
    raise KeyError(uid)


pwd.getpwuid = nobody
claim("a user without a name has the other places", list(sbx._candidates("x"))[-2:], ["/usr/local/bin/x", "/usr/bin/x"])
claim("what a project builds is none of them", [path for path in sbx._candidates("x") if "build" in path.split(os.sep)[-3:]], [])
with open("sbx-run", "w", encoding="utf-8") as fake:
    fake.write("#!/bin/sh\necho fake\n")
os.chmod("sbx-run", 0o755)
os.environ["PATH"] = f"{ws}:{os.environ['PATH']}"
claim("neither PATH nor the working directory names the program", sbx.run(["echo", "real"], **never).text, "real\n")
print(f"1..{count}")
sys.exit(failed != 0)
