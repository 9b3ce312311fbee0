#!/bin/bash
# Paths, patterns, sockets, bundle ids and commands are data: whatever bytes
# they hold, the text of the profile stays the same.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/seatbelt.sh"
anyone
export TESTS

run python3 - "$scratch" <<'END'
import os, sys
sys.path.insert(0, os.environ["TESTS"] + "/property/sbpl")
from evaluator import encode, evaluate, split, wrap

BAD = [
    b'x"', b'"))(allow default)', b'")) (allow file-write* (subpath "/"))', b"(", b")", b"))", b"#t", b";",
    b'\n(allow default)\n', b"\r", b"\t", b"\\", b'\\"', b"\\\\", b"$(id)", b"`id`", b"%s%n", b"*", b"?",
    b"[", b"]", b"[^/]", b"a|b", b"(a|b)", b"^", b"$", b".", b".*", b"+", b"{1}", b"\xff", b"\xc3", b"\xe2\x80\xae",
    b"\x01", b"\x7f", b"=", b"A=B", b"-D", b"-p", b"--", b"-DREADABLE_ROOT_0=/", b" ", b"'", b"#\"^/\"", b"(param \"X\")",
    b"~", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"a" * 250, b",", b"{a,b}", b"!", b"&",
]

def document(name, glob):
    path = b"/w/" + name
    permissions = {"fs": [{"path": "/", "access": "read"}, {"path": encode(path), "access": "write"},
                          {"path": encode(path + b"/.git"), "access": "read"},
                          {"path": encode(path + b"/none"), "access": "none"},
                          {"path": encode(path + b"/none/open"), "access": "read"}],
                   "network": "off", "unix_sockets": [encode(path + b"/s")],
                   "deny_globs": [encode(glob)] if glob else [],
                   "macos": {"contacts": "read_only"}}
    return {"sbx": 1, "command": {"argv": [encode(name or b"x")], "cwd": "/",
                                  "env": {"HOME": encode(b"/Users/" + name)}},
            "policy": {"approval_policy": "never", "sandbox_policy": {"type": "workspace-write"},
                       "permissions": permissions}}

def escaped(name):
    return b"".join(b"\\" + bytes([c]) if bytes([c]) in b"*?[]{}\\" else bytes([c]) for c in name)

names = [n for n in BAD if b"/" not in n and n not in (b".",)]
plain = split(wrap([document(b"plain", b"/w/plain/*.key")])[0])
answers = wrap([document(n, b"/w/" + escaped(n) + b"/*.key") for n in names])
jobs = []
same = 0
for name, answer in zip(names, answers):
    profile, params, command = split(answer)
    same += profile == plain[0] and [p.split(b"=")[0] for p in params] == [
        p.split(b"=")[0] for p in plain[1]]
    if profile != plain[0]:
        print("profile differs for", name)
    if command != [name]:
        print("command differs for", name)
    path = b"/w/" + name
    jobs.append((profile, params, [
        ("file-write-create", "file", path + b"/x"), ("file-write-create", "file", path + b"/.git/x"),
        ("file-read-data", "file", path + b"/none/x"), ("file-read-data", "file", path + b"/none/open/x"),
        ("file-read-data", "file", path + b"/a.key"), ("file-read-data", "file", path + b"/a_key"),
        ("network-outbound", "unix", path + b"/s"), ("file-write-create", "file", b"/w/other/x"),
        ("file-write-create", "file", b"/elsewhere"), ("file-write-create", "file", b"/w/x")]))
WANTED = ["allow", "deny", "deny", "allow", "deny", "allow", "allow", "deny", "deny", "deny"]
right = 0
for name, (loaded, got) in zip(names, evaluate(jobs)):
    flat = [a[0] for a in got]
    if loaded.startswith("loaded") and flat == WANTED and all(len(set(a)) == 1 for a in got):
        right += 1
    else:
        print("wrong for", name, loaded, flat)
print("names", len(names), "same", same, "right", right)
END
like "every name: one text, the same parameters, the right answers" "$out" '^names ([0-9]+) same \1 right \1$'
note "$out"
[ "$status" = 0 ] || show_run

# Bundle ids that are none never come that far.
for id in 'com.x")) (allow default)' 'a b.c' 'com.x
y' 'com.\\x' 'cöm.x' 'com.x*' 'com/x.y'; do
	permissions "$(jq -cn --arg id "$id" '{fs: [], macos: {automation: [$id]}}')" |
		refuses "bundle id $(printf %q "$id")" 'permissions.macos.automation: '
done
permissions '{fs: [], macos: {automation: [{base64: "Y29tLv8="}]}}' | refuses "bundle id of other bytes" 'permissions.macos.automation: '

# The control: what is pasted does change the text, and is noticed.
doc >"$scratch/doc"
wrap <"$scratch/doc"
jq -c '.exec.argv[2] |= sub("WRITABLE_ROOT_0\"\\)\\)\\)"; "WRITABLE_ROOT_0\")) (anything)")' "$scratch/wrapped" >"$scratch/pasted"
run "$TESTS/property/sbpl/ask" "$scratch/pasted"
like "control: an unknown form does not load" "$out" '^error .*'
jq -c '.exec.argv[2] += "(allow default)"' "$scratch/wrapped" >"$scratch/pasted"
run "$TESTS/property/sbpl/ask" "$scratch/pasted"
like "control: neither does an opened default" "$out" '^error .*allows by default'
jq -c '.exec.argv[3] = "-DX=/"' "$scratch/wrapped" >"$scratch/pasted"
run "$TESTS/property/sbpl/ask" "$scratch/pasted"
like "control: nor a missing parameter" "$out" '^error .*no such parameter'
finish
