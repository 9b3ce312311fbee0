#!/bin/bash
# Ordinary programs work inside: compilers, git, interpreters, pipes, pairs of
# sockets, make.
. "${0%/*}/lib/lib.sh"
export HOME=$scratch/home
mkdir "$HOME"

works() { # DESCRIPTION PROGRAM WANTED COMMAND...
	local what=$1 program=$2 want=$3
	shift 3
	if ! have PROGRAM "$program"; then
		skip "$what" "no $program here"
		return
	fi
	boxed "$@"
	is "$what" "$status:$out" "0:$want"
}
printf '#include <stdio.h>\nint main(void) { puts("compiled"); }\n' >"$ws/a.c"
works "gcc" gcc "compiled" sh -c 'gcc -O1 -o a a.c && ./a'
works "clang" clang "compiled" sh -c 'clang -o b a.c && ./b'
printf 'all: x y\n\t@echo made\nx y:\n\t@touch $@\n' >"$ws/Makefile"
works "make -j" make "made" make -j4
works "pipes" sh "5" sh -c 'seq 5 | cat | wc -l | tr -d " "'
works "a process substitution" bash "in" bash -c 'cat <(echo in)'
works "a here document" bash "text" bash -c 'cat <<<text'
works "background jobs" bash "done" bash -c 'for i in 1 2 3 4; do sleep 0.1 & done; wait; echo done'
works "find and xargs" find "3" sh -c 'touch f1 f2 f3; find . -name "f[123]" -print0 | xargs -0 -n1 -P2 echo | wc -l | tr -d " "'
works "sort of a large file" sort "1" sh -c 'seq 200000 | sort -rn | sort -n | head -n 1'
works "temporary files" mktemp "ok" sh -c 'f=$(mktemp) && echo ok >"$f" && cat "$f" && rm "$f"'
works "python multiprocessing" python3 "[0, 1, 4, 9]" python3 -c '
from multiprocessing import Pool
def square(x): return x * x
if __name__ == "__main__":
    with Pool(2) as p: print(p.map(square, range(4)))'
works "python multiprocessing queue and lock" python3 "3" python3 -c '
import multiprocessing as m
def f(q, l):
    with l: q.put(1)
q, l = m.Queue(), m.Lock()
ps = [m.Process(target=f, args=(q, l)) for _ in range(3)]
[p.start() for p in ps]; print(sum(q.get() for _ in ps)); [p.join() for p in ps]'
works "python asyncio" python3 "slept" python3 -c '
import asyncio
async def main():
    await asyncio.sleep(0.01)
    p = await asyncio.create_subprocess_exec("echo", "slept")
    await p.wait()
asyncio.run(main())'
works "python asyncio on a pair of sockets" python3 "b'"'hi'"'" python3 -c '
import asyncio, socket
async def main():
    a, b = socket.socketpair()
    r, w = await asyncio.open_connection(sock=a)
    b.sendall(b"hi"); print(await r.read(2)); w.close()
asyncio.run(main())'
works "python subprocess and threads" python3 "4" python3 -c '
import subprocess, concurrent.futures as c
with c.ThreadPoolExecutor(4) as e:
    print(sum(e.map(lambda _: int(subprocess.check_output(["echo", "1"])), range(4))))'
works "passing a descriptor over a pair" python3 "passed" python3 -c '
import socket, os
a, b = socket.socketpair()
r, w = os.pipe()
socket.send_fds(a, [b"x"], [w])
fds = socket.recv_fds(b, 1, 1)[1]
os.write(fds[0], b"passed"); print(os.read(r, 6).decode())'
works "perl" perl "perl" perl -e 'print "perl\n"'
works "node" node "node" node -e 'console.log("node")'
works "node child processes and threads" node "child" node -e '
const {execSync} = require("child_process");
const {Worker} = require("worker_threads");
new Worker("1", {eval: true}).on("exit", () => console.log(execSync("echo child").toString().trim()))'
works "jq" jq "2" jq -n '1 + 1'
works "tar" tar "f1" sh -c 'tar -cf t.tar f1 && tar -tf t.tar'
works "shared memory" python3 "shm" python3 -c '
from multiprocessing import shared_memory
s = shared_memory.SharedMemory(create=True, size=8); s.buf[:3] = b"shm"
print(bytes(s.buf[:3]).decode()); s.close(); s.unlink()'
works "a user name lookup" getent "root" sh -c 'getent passwd root | cut -d: -f1'
works "the time" date "1970" date -u -d @0 +%Y
if have FRESH_PROC; then
	works "ps" ps "0" sh -c 'ps >/dev/null; echo $?'
else
	skip "ps" "it does not find itself in a /proc of other processes"
fi

if have PROGRAM git; then
	git init -q "$ws/repo"
	(cd "$ws/repo" && echo a >a && git add a && git -c user.name=t -c user.email=t@t commit -qm one)
	ws=$ws/repo
	set_box
	works "git status" git "" git status --porcelain
	works "git log" git "one" git log --format=%s
	works "git diff" git "+b" sh -c 'echo b >>a; git diff | grep "^+b"; git stash list'
	works "git blame, grep, show" git "one" sh -c 'git blame a >/dev/null; git grep -q a; git show -s --format=%s'
	ln -s "$ws" "$scratch/linked"
	mkdir "$scratch/viewer"
	ln -s "$ws/.git" "$scratch/viewer/.git"
	run_sbx -s workspace-write -a never -C "$scratch/viewer" -- git log --format=%s
	is "a workspace whose .git is a link starts" "$status:$out" "0:one"
fi
run_sbx -s read-only -a never -C "$ws" -- ls
is "ls in a read-only sandbox" "$status" 0
finish
