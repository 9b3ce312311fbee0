"""Profiles from sbx-seatbelt, and what evaluate.scm says of them."""

import base64
import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.path.join(os.environ.get("SBX_BUILD", os.path.join(HERE, "..", "..", "..", "build")), "bin")


def encode(value: bytes):
    """A string of the operating system as documents have it."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode("ascii")}


def decode(value) -> bytes:
    return value.encode("utf-8") if isinstance(value, str) else base64.b64decode(value["base64"])


def wrap(documents):
    """The answers of one sbx-seatbelt to all documents, in order."""
    done = subprocess.run(
        [os.path.join(BIN, "sbx-seatbelt")],
        input="".join(json.dumps(d) + "\n" for d in documents).encode(),
        stdout=subprocess.PIPE, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


def split(answer):
    """(profile, parameters, command) of exec.argv; its shape is checked."""
    argv = [decode(word) for word in answer["exec"]["argv"]]
    end = argv.index(b"--")
    assert argv[:2] == [b"/usr/bin/sandbox-exec", b"-p"], argv[:2]
    params = argv[3:end]
    assert all(p.startswith(b"-D") and b"=" in p for p in params), params
    names = [p[2:p.index(b"=")] for p in params]
    assert len(set(names)) == len(names), "a parameter twice"
    return argv[2], [p[2:] for p in params], argv[end + 1:]


def evaluate(jobs):
    """jobs: (profile, parameters, [(operation, kind, value)]); the answers of
    each: (what loading said, [(plain, strict, specific)])."""
    lines = []
    for profile, params, queries in jobs:
        lines += ["D " + p.hex() for p in params]
        lines.append("P " + profile.hex())
        lines += [f"Q {op} {kind} {value.hex()}" for op, kind, value in queries]
    # Compiled it is several times faster; a test gives it a place for that.
    cache = os.environ.get("SBPL_CACHE")
    done = subprocess.run(
        ["guile", "--auto-compile" if cache else "--no-auto-compile",
         os.path.join(HERE, "evaluate.scm")],
        input="".join(line + "\n" for line in lines).encode(), stdout=subprocess.PIPE,
        stderr=None if not cache else subprocess.DEVNULL,
        # It collects garbage for half of its time, unless it has room.
        env={**os.environ, "GC_INITIAL_HEAP_SIZE": "256000000", "GC_MARKERS": "1",
             "GUILE_WARN_DEPRECATED": "no", "XDG_CACHE_HOME": cache or "/nonexistent"},
        check=True)
    out = iter(done.stdout.decode("latin-1").splitlines())
    answers = []
    for _, _, queries in jobs:
        loaded = next(out)
        answers.append((loaded, [tuple(next(out).split()) for _ in queries]))
    return answers
