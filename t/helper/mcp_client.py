"""A client of sbx-run --mcp for the tests: it says what it is told to, also what is wrong.

    from mcp_client import Client, claim
    with Client(["--auto"]) as c:
        c.initialize()
        claim("ping", c.call("ping"), {})

claim() prints a line that t/lib/mcp.sh makes a test of.
"""

import json
import os
import select
import subprocess
import time

SERVER = os.environ["SBX"] + "/sbx-run"
MODERN = "2026-07-28"


def claim(what, got, wanted):
    if os.environ.get("TIMES"):
        import sys; print(f"{time.monotonic():.2f} {what}", file=sys.stderr)
    print(what, json.dumps(got, sort_keys=True), json.dumps(wanted, sort_keys=True), sep="\t", flush=True)


class Ended(Exception):
    """The server has closed its end."""


class Client:
    """One server, and what it has said so far."""

    def __init__(self, options=(), cwd=None, env=None, before=(), on_request=None):
        self.process = subprocess.Popen(
            [*before, SERVER, *options, "--mcp"], cwd=cwd or os.environ["WS"], env=env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.rest = b""
        self.heard = []  # notifications, and requests of the server
        self.answers = {}
        self.last = 0
        self.on_request = on_request
        self.version = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """The end of its input, and its status."""
        for end in (self.process.stdin, self.process.stdout):
            try:
                end.close()
            except OSError:
                pass
        try:
            return self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "killed"

    def raw(self, text):
        """Bytes or text as they are, with the end of a line."""
        data = text if isinstance(text, bytes) else text.encode()
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def say(self, message):
        self.raw(json.dumps(message))

    def notify(self, method, params=None):
        self.say({"jsonrpc": "2.0", "method": method, **({"params": params} if params is not None else {})})

    def next(self, timeout=20):
        """The next message; None when none comes."""
        until = time.monotonic() + timeout
        while b"\n" not in self.rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return None
            more = os.read(self.process.stdout.fileno(), 1 << 20)
            if not more:
                raise Ended
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def take(self, message):
        """Files it, and answers what the server asks."""
        if isinstance(message, dict) and "method" not in message:
            self.answers[json.dumps(message.get("id"))] = message
            return
        self.heard.append(message)
        if isinstance(message, dict) and "id" in message and self.on_request:
            answer = self.on_request(message)
            if answer is not None:
                self.say({"jsonrpc": "2.0", "id": message["id"], **answer})

    def pump(self, seconds):
        """Whatever comes in that time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            message = self.next(until - time.monotonic())
            if message is not None:
                self.take(message)

    def send(self, method, params=None, number=None):
        """A request; its id."""
        if number is None:
            self.last += 1
            number = self.last
        if self.version == MODERN:
            params = {**(params or {})}
            params["_meta"] = {"io.modelcontextprotocol/protocolVersion": MODERN,
                               "io.modelcontextprotocol/clientCapabilities": self.capabilities,
                               **params.get("_meta", {})}
        self.say({"jsonrpc": "2.0", "id": number, "method": method,
                  **({"params": params} if params is not None else {})})
        return number

    def wait(self, number, timeout=20):
        """The whole answer to a request."""
        key = json.dumps(number)
        until = time.monotonic() + timeout
        while key not in self.answers:
            message = self.next(until - time.monotonic())
            if message is None:
                return None
            self.take(message)
        return self.answers.pop(key)

    def call(self, method, params=None, timeout=20):
        """The result, or the code of the error."""
        answer = self.wait(self.send(method, params), timeout)
        if answer is None:
            return "no answer"
        return answer["result"] if "result" in answer else answer["error"]["code"]

    def tool(self, tool, patience=20, **arguments):
        return self.call("tools/call", {"name": tool, "arguments": arguments}, patience)

    def data(self, tool, patience=20, **arguments):
        """The structured content, or whatever came instead."""
        result = self.tool(tool, patience, **arguments)
        return result.get("structuredContent", result) if isinstance(result, dict) else result

    def initialize(self, version="2025-11-25", capabilities=None):
        result = self.call("initialize", {"protocolVersion": version, "capabilities": capabilities or {},
                                          "clientInfo": {"name": "t", "version": "0"}})
        self.notify("notifications/initialized")
        return result

    def modern(self, capabilities=None):
        """Each request says its version from now on."""
        self.version = MODERN
        self.capabilities = capabilities or {}
