"""Run commands in a sandbox, see what was denied, and decide about it.

    import sbx

    result = sbx.run(["make", "test"], sandbox="workspace-write")
    print(result.exit_code, result.text)
    for denial in result.denials:
        print(denial.op, denial.path, denial.allow_with)

An approver is a function.  It gets what the sandbox denied, or what a command asks for,
and what it does not approve is refused; so is what it raises:

    def approve(request):
        if request.grant and request.grant.get("write") == ["/srv/cache"]:
            return sbx.approve(grant=request.grant)
        return sbx.deny("only the cache")

    sbx.run(["make"], ask="on-request", approver=approve)

A session keeps what was approved for it, and its commands share one loopback network:

    with sbx.Session(approver=approve, ask="on-request") as session:
        session.run(["make"])

A command ends when its result cannot be waited for any more, because this process is killed, too.
Everything has an asyncio form: run_async, stream_async, AsyncSession.  This is one file without
dependencies, for Python 3.9 and later, and starts sbx-run(1), which does all the work.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import functools
import inspect
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from typing import Any, AsyncIterator, Awaitable, Callable, Iterator, Mapping, Optional, Sequence, Tuple, Union

__version__ = "0+checkout"
__all__ = [
    "AsyncSession", "Decision", "Denial", "Error", "Failed", "Request", "Result", "Session", "abort", "approve", "deny",
    "find_program", "run", "run_async", "stream", "stream_async",
]

OUTPUT_MAX = 16 << 20
Path = Union[str, bytes, "os.PathLike[str]"]


class Error(Exception):
    """sbx-run cannot be started, or was misused."""


class Failed(Error):
    """Result.check(): the command did not exit with 0."""

    def __init__(self, result: "Result") -> None:
        super().__init__(f"{result.outcome}, status {result.status}: {result.error or ''}".rstrip(": "))
        self.result = result


def _bytes(value: Any) -> Optional[bytes]:
    """A string of the operating system, as documents have it."""
    if isinstance(value, Mapping):
        return base64.b64decode(value["base64"])
    return None if value is None else os.fsencode(value)


def _text(value: Any) -> Optional[str]:
    raw = _bytes(value)
    return None if raw is None else os.fsdecode(raw)


def _document(value: Any, name: str = "") -> Any:
    """What an approver answers, as a document has it: what is no UTF-8 in a path is bytes.

    >>> _document({"reason": "no \\udcff", "grant": {"write": ["/x\\udcff"]}})
    {'reason': 'no ?', 'grant': {'write': [{'base64': 'L3j/'}]}}
    """
    if isinstance(value, Mapping):
        return {key: _document(one, key) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_document(one) for one in value]
    if not isinstance(value, str) or value.isascii():
        return value
    if name == "reason":
        return value.encode("utf-8", "replace").decode()
    raw = os.fsencode(value)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(raw).decode()}


def _named(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"
    except BaseException:  # of a function that was given to us, as the error is
        return type(error).__name__


def _home() -> Optional[str]:
    """Not $HOME, which somebody else may have set; many a user of a container has none."""
    try:
        import pwd  # not where there is no POSIX: there the module can be imported, at least

        return pwd.getpwuid(os.geteuid()).pw_dir
    except (ImportError, KeyError):
        return None


def _candidates(name: str) -> Iterator[str]:
    here, home = os.path.dirname(os.path.realpath(__file__)), _home()
    yield os.path.join(here, "sbx_programs", "bin", name)
    # Three steps up from where it is installed, a project may keep what it builds.
    if here.endswith(os.path.join(os.sep, "share", "clients", "python")):
        yield os.path.join(here, "..", "..", "..", "build", "bin", name)
    yield os.path.join(sys.prefix, "bin", name)
    if home:
        yield os.path.join(home, ".local", "bin", name)
    yield os.path.join("/usr/local/bin", name)
    yield os.path.join("/usr/bin", name)


def find_program(name: str = "sbx-run") -> str:
    """Next to this file, or installed; never by PATH or in the working directory.

    >>> os.path.isabs(find_program())
    True
    """
    for path in _candidates(name):
        if os.path.isabs(path) and os.access(path, os.X_OK):
            return os.path.realpath(path)
    raise Error(f"{name} is not installed: put it into /usr/local/bin, or name it with program=")


@dataclass(frozen=True)
class Denial:
    """What the sandbox refused, and the least that would have allowed it."""

    op: str
    path: Optional[str] = None
    address: Optional[str] = None
    syscall: Optional[str] = None
    program: Optional[str] = None
    rule: Optional[Mapping[str, Any]] = None
    grant: Optional[Mapping[str, Any]] = None
    allow_with: Optional[str] = None
    count: int = 1
    failed: Optional[bool] = None

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> "Denial":
        """From an entry of result.denials, or a "denial" event."""
        return cls(
            op=str(raw["op"]), path=_text(raw.get("path")), address=raw.get("address"), syscall=raw.get("syscall"),
            program=_text(raw.get("program")), rule=raw.get("rule"), grant=raw.get("grant"),
            allow_with=raw.get("allow_with"), count=int(raw.get("count", 1)), failed=raw.get("failed"))


@dataclass(frozen=True)
class Result:
    """What became of a command.  `outcome` says whose status `status` is."""

    status: int
    outcome: str
    exit_code: Optional[int] = None
    signal: Optional[int] = None
    denied: bool = False
    denials: Tuple[Denial, ...] = ()
    duration_ms: int = 0
    stdout: bytes = b""
    stderr: bytes = b""
    truncated: bool = False
    error: Optional[str] = None
    document: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def ok(self) -> bool:
        return self.outcome == "exited" and self.status == 0

    @property
    def text(self) -> str:
        return self.stdout.decode("utf-8", "replace")

    def check(self) -> "Result":
        """Raises Failed unless the command exited with 0."""
        if not self.ok:
            raise Failed(self)
        return self


@dataclass(frozen=True)
class Request:
    """A question; `raw` has all members, as sbx-approve(1) describes them."""

    raw: Mapping[str, Any]
    _void: threading.Event = field(default_factory=threading.Event, repr=False, compare=False)

    @property
    def id(self) -> str:
        return str(self.raw["id"])

    @property
    def command(self) -> Tuple[str, ...]:
        return tuple(_text(word) or "" for word in self.raw.get("command", ()))

    @property
    def cwd(self) -> Optional[str]:
        return _text(self.raw.get("cwd"))

    @property
    def reason(self) -> str:
        return _text(self.raw.get("reason")) or ""

    @property
    def options(self) -> Tuple[str, ...]:
        """The answers that are possible, the least first."""
        return tuple(self.raw.get("options", ()))

    @property
    def means(self) -> Mapping[str, str]:
        """What each of them does, in a sentence."""
        return dict(self.raw.get("means", {}))

    @property
    def grant(self) -> Optional[Mapping[str, Any]]:
        """The least that would be enough."""
        return self.raw.get("grant")

    @property
    def denials(self) -> Tuple[Denial, ...]:
        return tuple(Denial.of(raw) for raw in self.raw.get("denials", ()))

    @property
    def cancelled(self) -> bool:
        """Nobody waits for the answer any more."""
        return self._void.is_set()


@dataclass(frozen=True)
class Decision:
    decision: str
    grant: Optional[Mapping[str, Any]] = None
    reason: Optional[str] = None

    def answer(self) -> Mapping[str, Any]:
        members = {"decision": self.decision, "grant": self.grant, "reason": self.reason}
        return {name: value for name, value in members.items() if value is not None}


def approve(grant: Optional[Mapping[str, Any]] = None, session: bool = False) -> Decision:
    """Yes: to what was offered, or to a grant of one's own; once, or for the session.

    >>> approve(grant={"write": ["/srv/cache"]}).answer()
    {'decision': 'approved', 'grant': {'write': ['/srv/cache']}}
    """
    return Decision("approved_for_session" if session else "approved", grant)


def deny(reason: Optional[str] = None) -> Decision:
    """No; the caller goes on.

    >>> deny("not today").answer()
    {'decision': 'denied', 'reason': 'not today'}
    """
    return Decision("denied", reason=reason)


def abort(reason: Optional[str] = None) -> Decision:
    """No, and the caller should stop."""
    return Decision("abort", reason=reason)


Answer = Union[Decision, Mapping[str, Any], bool, None]
Approver = Callable[[Request], Union[Answer, Awaitable[Answer]]]
Sink = Callable[[bytes], None]


class _Answers:
    """The other end of --approver fd:N: every question in a thread of its own."""

    def __init__(self, approver: Approver, loop: Optional[asyncio.AbstractEventLoop] = None) -> None:
        self._approver, self._loop = approver, loop
        self._ours, self.theirs = socket.socketpair()
        self._open: dict[str, Request] = {}
        self._lock = threading.Lock()

    def start(self) -> None:
        self.theirs.close()
        threading.Thread(target=self._read, daemon=True).start()

    def close(self) -> None:
        for end in (self._ours, self.theirs):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError), self._ours.makefile("rb") as lines:
            for line in lines:
                self._take(json.loads(line))
        with self._lock:
            for request in self._open.values():
                request._void.set()

    def _take(self, message: Mapping[str, Any]) -> None:
        with self._lock:
            if message.get("type") == "cancel":
                request = self._open.pop(str(message["id"]), None)
                if request:
                    request._void.set()
                return
            request = self._open[str(message["id"])] = Request(message)
        threading.Thread(target=self._answer, args=(request,), daemon=True).start()

    def _ask(self, request: Request) -> Answer:
        said = self._approver(request)
        if not inspect.isawaitable(said):
            return said  # type: ignore[return-value]
        if not self._loop:
            raise Error("an approver that is a coroutine needs run_async")

        async def wait() -> Answer:
            return await said  # type: ignore[misc]

        return asyncio.run_coroutine_threadsafe(wait(), self._loop).result()

    def _line(self, request: Request, said: Answer) -> bytes:
        if isinstance(said, Decision):
            answer = dict(said.answer())
        elif isinstance(said, Mapping):
            answer = dict(said)
        else:
            answer = {"decision": "approved" if said is True else "denied"}
        # One line that is no JSON would end the conversation, and with it all later answers.
        return json.dumps(_document({**answer, "id": request.id}), allow_nan=False).encode() + b"\n"

    def _answer(self, request: Request) -> None:
        try:
            line = self._line(request, self._ask(request))
        except BaseException as error:  # whatever it is, it is no approval
            line = self._line(request, deny(f"the approver failed: {_named(error)}"))
        with self._lock, contextlib.suppress(OSError):
            if self._open.pop(request.id, None):
                self._ours.sendall(line)


def _words(*, cwd: Optional[Path] = None, sandbox: Optional[str] = None, ask: Optional[str] = None,
           profile: Optional[str] = None, permissions: Optional[str] = None, network: Optional[str] = None,
           allow: Sequence[str] = (), allow_hosts: Sequence[str] = (), add_dirs: Sequence[Path] = (),
           hide: Sequence[str] = (), env: Optional[Mapping[str, str]] = None, timeout: Optional[float] = None,
           justification: Optional[str] = None, escalate: bool = False, caller: Optional[str] = None,
           approver_timeout: Optional[float] = None, options: Sequence[Path] = ()) -> list[Path]:
    """The options of sbx-run(1); `options` are more of them, as they are."""
    single = {"--cd": cwd, "--sandbox": sandbox, "--ask-for-approval": ask, "--profile": profile,
              "--permissions": permissions, "--network": network, "--justification": justification,
              "--caller": caller, "--timeout": None if timeout is None else repr(float(timeout)),
              "--approver-timeout": None if approver_timeout is None else repr(float(approver_timeout))}
    several = {"--allow": allow, "--allow-host": allow_hosts, "--add-dir": add_dirs, "--hide": hide,
               "--env": [f"{name}={value}" for name, value in (env or {}).items()]}
    words: list[Path] = []
    for name, value in single.items():
        words += [] if value is None else [name, value]
    for name, values in several.items():
        if isinstance(values, (str, bytes)):
            raise Error(f"{name}: expected a list, not {values!r}")
        for one in values:
            words += [name, one]
    return words + (["--escalate"] if escalate else []) + list(options)


class _Run:
    """One sbx-run, with a thread for each thing that it says."""

    def __init__(self, argv: Sequence[Path], *, program: Optional[str] = None, approver: Optional[Approver] = None,
                 input: Optional[bytes] = None, on_stdout: Optional[Sink] = None, on_stderr: Optional[Sink] = None,
                 on_event: Optional[Callable[[Mapping[str, Any]], None]] = None, output_max: int = OUTPUT_MAX,
                 loop: Optional[asyncio.AbstractEventLoop] = None, session: Optional[str] = None,
                 **policy: Any) -> None:
        if isinstance(argv, (str, bytes)) or not argv:
            raise Error("argv: expected a list with at least one word; for a line of shell use ['sh', '-c', LINE]")
        words: list[Path] = [program or find_program(), *_words(**policy)]
        self._max, self._kept, self._threads = output_max, {"stdout": b"", "stderr": b""}, []
        self._cut, self._document, self._end = False, {}, {}
        self._failure: Optional[BaseException] = None
        self._sinks = {"stdout": on_stdout, "stderr": on_stderr}
        self._on_event = on_event
        answers = _Answers(approver, loop) if approver else None
        result, result_end = os.pipe()
        events, events_end = os.pipe() if on_event else (-1, -1)
        # Closed with us, whatever ends us.
        there, self._here = os.pipe()
        words += ["--result-fd", str(result_end), "--while-fd", str(there)]
        keep = [result_end, there]
        if on_event:
            words += ["--report", "json", "--report-fd", str(events_end)]
            keep.append(events_end)
        if answers:
            words += ["--approver", f"fd:{answers.theirs.fileno()}"]
            keep.append(answers.theirs.fileno())
        environment = dict(os.environ)
        if session:
            environment["SBX_SESSION"] = session
        try:
            self.process = subprocess.Popen(
                [*words, "--", *argv], stdin=subprocess.DEVNULL if input is None else subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=keep, env=environment)
        except BaseException as error:
            for fd in (result, events, self._here):
                if fd >= 0:
                    os.close(fd)
            if answers:
                answers.close()
            if isinstance(error, OSError):
                raise Error(f"{os.fsdecode(words[0])}: {error.strerror}") from error
            raise
        finally:
            os.close(result_end)
            os.close(there)
            if on_event:
                os.close(events_end)
        self._answers = answers
        if answers:
            answers.start()
        self._thread(self._read_result, result)
        self._thread(self._read_output, "stdout", self.process.stdout)
        self._thread(self._read_output, "stderr", self.process.stderr)
        if on_event:
            self._thread(self._read_events, events)
        if input is not None:
            self._thread(self._write, input)

    def _thread(self, work: Callable[..., None], *args: Any) -> None:
        def guarded() -> None:
            try:
                work(*args)
            except BaseException as error:  # of a function that was given to us
                self._failure = self._failure or error
                self.terminate()

        thread = threading.Thread(target=guarded, daemon=True)
        thread.start()
        self._threads.append(thread)

    def _write(self, data: bytes) -> None:
        assert self.process.stdin
        with contextlib.suppress(BrokenPipeError), self.process.stdin as to:
            to.write(data)

    def _read_output(self, name: str, stream: Any) -> None:
        parts, size = [], 0
        with stream:
            while True:
                data = os.read(stream.fileno(), 65536)
                if not data:
                    break
                sink = self._sinks[name]
                if sink:
                    sink(data)
                kept = data[:max(0, self._max - size)]
                self._cut |= len(kept) < len(data)
                size += len(kept)
                parts.append(kept)
        self._kept[name] = b"".join(parts)

    def _read_result(self, fd: int) -> None:
        # The last line of one that is killed may be half of one.
        with contextlib.suppress(ValueError), open(fd, "rb") as lines:
            for line in lines:
                object_ = json.loads(line)
                if object_.get("event") == "end":
                    self._end = object_
                else:
                    self._document = object_

    def _read_events(self, fd: int) -> None:
        assert self._on_event
        with open(fd, "rb") as lines:
            for line in lines:
                self._on_event(json.loads(line))

    def terminate(self) -> None:
        """Ends the command and all that it started."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGTERM)

    def wait(self) -> Result:
        try:
            status = self.process.wait()
            for thread in self._threads:
                thread.join()
        except BaseException:
            self.terminate()
            self.process.wait()
            raise
        finally:
            os.close(self._here)
            if self._answers:
                self._answers.close()
        if self._failure:
            raise self._failure
        raw = self._document.get("result", {})
        status = status if status >= 0 else 128 - status
        return Result(
            # Without an end, sbx-run itself was killed.
            status=self._end.get("status", status), outcome=self._end.get("outcome", "failed"),
            exit_code=raw.get("exit_code") if raw.get("outcome") == "exited" else None, signal=raw.get("signal"),
            denied=bool(raw.get("denied")), denials=tuple(Denial.of(d) for d in raw.get("denials", ())),
            duration_ms=raw.get("duration_ms", 0), stdout=self._kept["stdout"], stderr=self._kept["stderr"],
            truncated=self._cut, error=_text(self._document.get("error", {}).get("message")), document=self._document)


def run(argv: Sequence[Path], **how: Any) -> Result:
    """Runs a command to its end.

    Policy: cwd, sandbox, ask, profile, permissions, network, allow, allow_hosts, add_dirs, hide,
    env, timeout (seconds), justification, escalate, caller, options (more words for sbx-run).
    Besides: approver, approver_timeout, input (bytes), on_stdout, on_stderr (bytes as they come),
    on_event (denials as they happen), output_max, program.  What on_... raises ends the command.

    The values of env are in the command line of sbx-run, where others on the machine may see them:
    a secret is in os.environ and passed by its name, options=["--env", "NAME"].

    >>> run(["sh", "-c", "echo hello; exit 3"], sandbox="workspace-write", ask="never").text
    'hello\\n'
    >>> run(["no-such-program"], ask="never").outcome
    'not-found'
    >>> run("echo hello")
    Traceback (most recent call last):
    ...
    sbx.Error: argv: expected a list with at least one word; for a line of shell use ['sh', '-c', LINE]
    """
    return _Run(argv, **how).wait()


class _Pieces:
    """What comes while a command runs.  One that prints more than is read waits, as at a pipe."""

    def __init__(self, put: Callable[[Tuple[str, Any]], Any]) -> None:
        self._put, self._room, self._left = put, threading.Semaphore(64), False

    def sinks(self) -> dict[str, Callable[[Any], None]]:
        return {f"on_{kind}": functools.partial(self._say, kind) for kind in ("stdout", "stderr", "event")}

    def _say(self, kind: str, what: Any) -> None:
        if kind != "event" and not self._left:
            self._room.acquire()
        if not self._left:
            self._put((kind, what))

    def taken(self, kind: str) -> None:
        if kind in ("stdout", "stderr"):
            self._room.release()

    def leave(self) -> None:
        """Nobody reads any more: whoever waits goes on, and what comes is dropped."""
        self._left = True
        self._room.release(2)


def stream(argv: Sequence[Path], **how: Any) -> Iterator[Tuple[str, Any]]:
    """("stdout", bytes), ("stderr", bytes) and ("event", {...}) as they come, then ("end", Result).

    What comes by different ways may come in any order, but the end.

    >>> [kind for kind, what in stream(["echo", "hello"], sandbox="read-only", ask="never") if kind != "event"]
    ['stdout', 'end']
    """
    said: "queue.Queue[Tuple[str, Any]]" = queue.Queue()
    pieces = _Pieces(said.put)
    one = _Run(argv, **{**how, **pieces.sinks()})

    def finish() -> None:
        try:
            said.put(("end", one.wait()))
        except BaseException as error:
            said.put(("error", error))

    threading.Thread(target=finish, daemon=True).start()
    last = ""
    try:
        while last not in ("end", "error"):
            last, what = said.get()
            pieces.taken(last)
            if last == "error":
                raise what
            yield last, what
    finally:
        pieces.leave()
        if last not in ("end", "error"):
            one.terminate()


def _in_thread(loop: asyncio.AbstractEventLoop, work: Callable[[], Any]) -> "asyncio.Future[Any]":
    """In a thread of its own: those of the loop are few, and a command may take long."""
    future = loop.create_future()

    def settle(done: Callable[[Any], None], value: Any) -> None:
        if not future.done():
            done(value)

    def act() -> None:
        try:
            done, value = future.set_result, work()
        except BaseException as error:
            done, value = future.set_exception, error
        with contextlib.suppress(RuntimeError):  # the loop is gone
            loop.call_soon_threadsafe(settle, done, value)

    threading.Thread(target=act, daemon=True).start()
    return future


async def run_async(argv: Sequence[Path], **how: Any) -> Result:
    """run(); the approver may be a coroutine.  Cancelling the task ends the command."""
    loop = asyncio.get_running_loop()
    one = _Run(argv, loop=loop, **how)
    waiting = _in_thread(loop, one.wait)
    try:
        return await asyncio.shield(waiting)
    except asyncio.CancelledError:
        one.terminate()
        with contextlib.suppress(Exception):
            await waiting
        raise


async def stream_async(argv: Sequence[Path], **how: Any) -> AsyncIterator[Tuple[str, Any]]:
    """stream(), for "async for"."""
    loop = asyncio.get_running_loop()
    said: "asyncio.Queue[Tuple[str, Any]]" = asyncio.Queue()
    pieces = _Pieces(lambda piece: loop.call_soon_threadsafe(said.put_nowait, piece))
    running = asyncio.ensure_future(run_async(argv, **{**how, **pieces.sinks()}))
    running.add_done_callback(lambda done: said.put_nowait(("end", done)))
    try:
        while True:
            kind, what = await said.get()
            pieces.taken(kind)
            if kind == "end":
                yield kind, what.result()
                return
            yield kind, what
    finally:
        pieces.leave()
        if not running.done():
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running


class Session:
    """Keeps what was approved for the session, in memory, and asks one approver for all.

    >>> with Session(sandbox="workspace-write", ask="never") as session:
    ...     session.run(["true"]).ok
    True
    """

    def __init__(self, approver: Optional[Approver] = None, *, approver_timeout: Optional[float] = None,
                 program: Optional[str] = None, parent: Optional["Session"] = None,
                 loop: Optional[asyncio.AbstractEventLoop] = None, **defaults: Any) -> None:
        self._program, self._defaults = program or find_program(), defaults
        answers = _Answers(approver, loop) if approver else None
        words = [os.path.join(os.path.dirname(self._program), "sbx-approve"), "--serve"]
        if answers:
            words += ["--approver", f"fd:{answers.theirs.fileno()}"]
        if approver_timeout is not None:
            words += ["--approver-timeout", repr(float(approver_timeout))]
        if parent:
            words += ["--parent", parent.path]
        # Says where the session is, and ends with our end of its input.
        words += ["--", "/bin/sh", "-c", 'printf "%s\\n" "$SBX_SESSION"; exec cat >/dev/null']
        self._answers = answers
        try:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
                pass_fds=[answers.theirs.fileno()] if answers else [])
        except OSError as error:
            if answers:
                answers.close()
            raise Error(f"{words[0]}: {error.strerror}") from error
        if answers:
            answers.start()
        assert self._process.stdout
        with self._process.stdout as stdout:
            self.path = os.fsdecode(stdout.readline().rstrip(b"\n"))
        if not self.path:
            self.close()
            raise Error("the session did not begin")

    def run(self, argv: Sequence[Path], **how: Any) -> Result:
        return run(argv, **self._with(how))

    def stream(self, argv: Sequence[Path], **how: Any) -> Iterator[Tuple[str, Any]]:
        return stream(argv, **self._with(how))

    def _with(self, how: Mapping[str, Any]) -> dict[str, Any]:
        return {**self._defaults, "program": self._program, **how, "session": self.path}

    def close(self) -> None:
        """What was approved for it is forgotten."""
        assert self._process.stdin
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        self._process.wait()
        if self._answers:
            self._answers.close()

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class AsyncSession:
    """Session, for "async with"; the approver may be a coroutine."""

    def __init__(self, approver: Optional[Approver] = None, **how: Any) -> None:
        self._approver, self._how = approver, how
        self._session: Optional[Session] = None

    async def __aenter__(self) -> "AsyncSession":
        loop = asyncio.get_running_loop()
        self._session = await _in_thread(loop, lambda: Session(self._approver, loop=loop, **self._how))
        return self

    async def __aexit__(self, *_: Any) -> None:
        assert self._session
        await _in_thread(asyncio.get_running_loop(), self._session.close)

    async def run(self, argv: Sequence[Path], **how: Any) -> Result:
        assert self._session
        return await run_async(argv, **self._session._with(how))

    def stream(self, argv: Sequence[Path], **how: Any) -> AsyncIterator[Tuple[str, Any]]:
        assert self._session
        return stream_async(argv, **self._session._with(how))
