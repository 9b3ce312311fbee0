# Read by tests, before their own Python: first messages of TLS 1.3.
#
# A server that gets no key asks for the first message once more; the second may have
# another name.
import struct


def extension(kind, body):
    return struct.pack(">HH", kind, len(body)) + body


def record(*messages):
    return b"\x16\3\1" + struct.pack(">H", len(b"".join(messages))) + b"".join(messages)


def message(name, key=b"", more=b""):
    share = struct.pack(">HH", 29, 32) + key if key else b""
    server = extension(0, struct.pack(">HBH", len(name) + 3, 0, len(name)) + name) if name else b""
    extensions = (server + more + extension(10, b"\0\2\0\x1d") + extension(43, b"\2\3\4") +
                  extension(13, b"\0\x0a\4\3\x08\4\x08\5\4\1\5\3") +
                  extension(51, struct.pack(">H", len(share)) + share))
    body = (b"\3\3" + b"r" * 32 + b"\x20" + b"s" * 32 + b"\0\4\x13\1\x13\3\1\0" +
            struct.pack(">H", len(extensions)) + extensions)
    return b"\1" + struct.pack(">I", len(body))[1:] + body


first_a, second_a, second_b = message(b"a.example"), message(b"a.example", b"k" * 32), message(b"b.example", b"k" * 32)
# What ECH looks like, and what browsers send to servers that do not have it (GREASE).
ech = extension(0xfe0d, b"\0\0\1\0\1\x2a\0\x20" + b"e" * 32 + b"\0\x90" + b"p" * 144)
hidden = {name: record(message(name, b"k" * 32, ech)) for name in (b"a.example", b"b.example", b"")}
changed = b"\x14\3\3\0\1\1"
unnamed = first_a.replace(b"\0\0\0\x0e", b"\x7f\0\0\x0e")
# What is sent before the server's request, and what behind it; nothing: all of it before.
twice = {
    "own": (record(first_a), changed + record(second_a)),
    "other": (record(first_a), record(second_b)),
    "changed": (record(first_a), changed + record(second_b)),
    "together": (record(first_a) + record(second_b),),
    "in one": (record(first_a, second_b),),
    "without a name": (record(unnamed), record(second_b)),
}


def asked_again(s, parts):
    """How many messages of its own the server begins: its request, and what is not one."""
    got = b""
    try:
        s.sendall(parts[0])
        if len(parts) > 1:
            got = s.recv(4096)
            s.sendall(parts[1])
        while got.count(b"\x16\3\3") < 2:
            more = s.recv(4096)
            if not more:
                break
            got += more
    except OSError:
        pass
    return got.count(b"\x16\3\3")
