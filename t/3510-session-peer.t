#!/bin/bash
# Who answers in place of a session is checked: nobody in a sandbox, no other
# user, no directory that others can change, none where the command writes.
. "${0%/*}/lib/lib.sh"
need USERNS
need PROGRAM python3
export HOME=$scratch/home
mkdir -p "$HOME" "$ws/run" "$scratch/next" "$scratch/d"
chmod 700 "$ws/run" "$scratch/d"

# A session that says yes to everything, without the sandbox.
cat >"$scratch/fake.py" <<'END'
import os, socket, sys
path, how = sys.argv[1:3]
os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
s = socket.socket(socket.AF_UNIX)
s.bind(path + "~")
s.listen(9)
os.rename(path + "~", path)
if how == "orphan" and (child := os.fork()):
    print(child)
    sys.stdout.flush()
    os._exit(0)
while True:
    c, _ = s.accept()
    with c:
        for line in c.makefile("rb"):
            op = b'"op":"hello"' in line.replace(b" ", b"")
            c.sendall(b'{}\n' if op else b'{"decision":"approved","grant":{"sandbox":"none"},"by":"user"}\n')
END
[ -x /usr/bin/python3 ] && python=/usr/bin/python3 || python=$(command -v python3)

# believed SOCKET [WORKSPACE]: what a run that has to be asked about is told by it
believed() {
	rm -f "$outside/f"
	SBX_SESSION=$1 run "$SBX/sbx-run" -s workspace-write -a untrusted --escalate -C "${2:-$scratch/next}" -- touch "$outside/f"
	exists "$outside/f"
}
there() { [ -S "$1" ]; }
# serves SOCKET [PREFIX...]: the fake session there, maybe in a sandbox
serves() {
	local socket=$1
	shift
	"$@" "$python" "$scratch/fake.py" "$socket" "$how" </dev/null >"$scratch/child" 2>&1 &
	kill_later $!
	[ "$how" != orphan ] || { wait $! && kill_later "$(cat "$scratch/child")"; }
	eventually 10 there "$socket"
}

how=plain
ok "a fake session outside of any sandbox" serves "$scratch/d/s"
ok "control: it is believed, being this user's own" believed "$scratch/d/s"
ok "a fake session in a sandbox" serves "$ws/run/s" "${box[@]}"
not_ok "from inside a sandbox it is not believed, whoever runs elsewhere" believed "$ws/run/s"
like "... and it is said" "$err" 'runs in a sandbox'
not_ok "nor in the workspace" believed "$ws/run/s" "$ws"
like "... which is said first" "$err" 'working directory'
run env SBX_SESSION="$ws/run/s" "$SBX/sbx-approve" --list
isnt "nor is it listed" "$status" 0
run "$SBX/sbx-approve" --serve --parent "$ws/run/s" -- true
isnt "nor is it a parent" "$status" 0
run "$SBX/sbx-approve" --serve --parent "$scratch/d/s" -- true
is "control: the other one is" "$status" 0
ok "a session in another user namespace" serves "$scratch/d/u" unshare -U
not_ok "is not believed" believed "$scratch/d/u"
how=orphan
ok "one whose process has ended, and whose child answers" serves "$scratch/d/o"
not_ok "is not believed" believed "$scratch/d/o"

# Its directory.
how=plain
for mode in 755 750 770; do
	mkdir "$scratch/$mode"
	chmod "$mode" "$scratch/$mode"
	ok "a directory of mode $mode" serves "$scratch/$mode/s"
	not_ok "is not a session's" believed "$scratch/$mode/s"
done
mkdir -m 777 "$scratch/open"
chmod 777 "$scratch/open"
mkdir -m 700 "$scratch/open/d"
ok "a directory that others can rename" serves "$scratch/open/d/s"
not_ok "is not a session's" believed "$scratch/open/d/s"
ln -s "$scratch/d" "$scratch/link"
not_ok "nor one that is reached over a link" believed "$scratch/link/s"
mkdir -m 700 "$outside/root"
ok "a session in a writable root" serves "$outside/root/s"
rm -f "$outside/f"
SBX_SESSION=$outside/root/s run "$SBX/sbx-run" -s workspace-write -a untrusted --escalate -C "$ws" \
	--add-dir "$outside/root" -- touch "$outside/f"
ok "is not believed" absent "$outside/f"
ok "control: without that root it is" believed "$outside/root/s"

# Where a session goes.
# place DIRECTORY [XDG_RUNTIME_DIR]: the session's, started there
place() { (cd "$1" && XDG_RUNTIME_DIR=${2-} "$SBX/sbx-approve" --serve -- sh -c 'echo "$SBX_SESSION"'); }
like "control: in XDG_RUNTIME_DIR" "$(place / "$scratch/d")" "^$scratch/d/sbx-session"
unlike "not in the working directory" "$(place "$ws" "$ws/run")" "^$ws"
mkdir -p "$scratch/repo/.git/objects" "$scratch/repo/.git/refs" "$scratch/repo/run"
chmod 700 "$scratch/repo/run"
echo 'ref: refs/heads/main' >"$scratch/repo/.git/HEAD"
unlike "not in a repository" "$(place / "$scratch/repo/run")" "^$scratch/repo"
in_tmp
unlike "not in /tmp" "$(place / "$tmp")" "^/tmp"
unlike "not where others can rename it" "$(place / "$scratch/open/d")" "^$scratch/open"
unlike "not over a link" "$(place / "$scratch/link")" "^$scratch"

# The background, where the process that made the socket is gone.
run sh -c "eval \"\$($SBX/sbx-approve --serve)\"; $SBX/sbx-approve --list; echo \"\$?\"; kill \$SBX_SESSION_PID"
is "control: a session in the background is believed" "$out" 0
finish
