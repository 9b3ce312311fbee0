#!/bin/bash
# Ordinary work where the broker does it: the same as without a sandbox.
. "${0%/*}/lib/lib.sh"
slow
. "$TESTS/lib/container.sh"
need LANDLOCK 3
need NOTIFY
git -C "$ws" init -q
# shellcheck disable=SC2119
set_docker_box

# same DESCRIPTION SCRIPT: what it prints and leaves is the same in a sandbox
same() {
	local plain
	mkdir "$ws/w"
	local script="(cd w && $2"$'\n'") 2>&1 | cat; exit \${PIPESTATUS[0]}"
	(cd "$ws" && timeout 60 bash -c "$script") >"$scratch/plain"
	plain="$? $(cat "$scratch/plain") $(find "$ws/w" -printf '%P|%y|%m|%s|%l|%n\n' | grep -v tmp | sort | cksum)"
	remove "$ws/w"
	mkdir "$ws/w"
	boxed timeout 60 bash -c "$script"
	is "$1" "$status $out $(find "$ws/w" -printf '%P|%y|%m|%s|%l|%n\n' | grep -v tmp | sort | cksum)" "$plain"
	remove "$ws/w"
}
mkdir -p "$scratch/tree"
(cd "$scratch/tree" && for d in $(seq "$(long 10 50)"); do mkdir "d$d" && (cd "d$d" && seq 100 | split -l 1 -a 3 - f) || exit; done &&
	ln -s d1/faaa link && chmod 600 d2/faaa && mkfifo pipe)
tar -C "$scratch" -cf "$scratch/tree.tar" tree

same "a tree of $(long 1000 5000) files is unpacked" "tar -xpf '$scratch/tree.tar' && find tree | wc -l"
same "... copied with times and modes, and removed" "cp -a '$scratch/tree/d3' c && cp -al c l && rm -rf l/faab && ls l | wc -l && rm -rf c l"
same "git in a subdirectory of its own" 'export GIT_AUTHOR_DATE=@1 GIT_COMMITTER_DATE=@1; git -c init.defaultBranch=m init -q r && cd r &&
	echo x >f && git add f && git -c user.name=a -c user.email=b commit -qm x && git log --format=%s && rm -rf .git'
same "a pipe with a name, from both ends" 'mkfifo p; (cat p >got) & echo word >p; wait; cat got'
same "... that is waited for" 'mkfifo p; (sleep 0.3; cat p >got) & echo word >p; wait; cat got'
same "... by one, while another works" 'mkfifo p; (echo word >p) & for i in $(seq 50); do echo x >f$i; done; cat p; wait'
same "... and given up by a signal that has a handler" \
	"mkfifo p; timeout 0.3 sh -c 'echo x >p'; echo \$?; python3 - <<'P'
import signal
def caught(*_): raise KeyError('caught')
signal.signal(signal.SIGALRM, caught); signal.setitimer(signal.ITIMER_REAL, 0.2)
try: open('p', 'w')
except KeyError as e: print(e)
P"
same "files without a name" "'$TRY' tmpfile . named && ls"
same "modes by umask" 'umask 077; echo x >a; mkdir b; umask 002; echo x >c; mkdir d; mkfifo e; (umask 0; : >f); stat -c "%n %a" *'
same "appending, cutting, exclusive making" 'echo a >f; echo b >>f; cat f; set -C; echo c >f; set +C; : >f; truncate -s 5 g; stat -c %s f g'
same "renaming, exchanging, linking" 'mkdir a b; echo 1 >a/x; mv a/x b/y; mv b c; ln c/y h; ln -s c s; cat s/y h; mv -T c d; readlink s; rmdir a; ls'
same "names that need care" 'mkdir -- -d; echo x >-d/-f; mkdir "a
b"; echo y >"a
b/ü"; cat ./-d/-f; rm -r ./-d; mv "a
b" z; ls z'
same "errors in the kernel's words" 'mkdir d; : >f; mkdir d; rmdir f; cat nothing; : >d; : >f/x; ln f d; rm d; mv d f; mkdir x/y; ln -s l l; : >l; touch d/; chmod 600 no'
same "descriptors by name" 'echo x >f; exec 3<>f; echo y >/dev/fd/3; echo z >>/proc/self/fd/3; echo t >>/proc/self/task/$BASHPID/fd/3; cat f; echo out >/dev/stdout; echo err >/dev/stderr; cat </dev/fd/3'
same "times and attributes" 'touch -d @5 f; touch -hd @6 f; stat -c %Y f; chmod 640 f; chown "$(id -u):$(id -g)" f; stat -c %a f; touch -r f g; stat -c %Y g'
same "locks" 'flock f -c "flock -n f true || echo held"; echo $?'
same "make, with several jobs" 'printf "all: a b c d\n%%:\n\t@sleep 0.0; echo \$@ >\$@.o; mv \$@.o \$@\n" >Makefile; make -s -j4; cat a b c d'
same "deep directories" 'for i in $(seq 60); do mkdir dddddddddddddddd && cd dddddddddddddddd || exit; done; echo x >f; cat f'
same "a process that must not be looked into" \
	"python3 -c 'import ctypes; print(ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)); open(\"f\", \"w\").write(\"x\")'; cat f"
same "threads" "python3 - <<'P'
import threading, os
def work(n):
    os.makedirs(f'd{n}/e')
    for i in range(50):
        with open(f'd{n}/e/{i}', 'w') as f: f.write('x' * i)
        os.rename(f'd{n}/e/{i}', f'd{n}/{i}')
threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
print(sum(len(f) for _, _, f in os.walk('.')))
P"
same "a database" "python3 - <<'P'
import sqlite3
d = sqlite3.connect('d.db'); d.execute('pragma journal_mode=wal'); d.execute('create table t(x)')
for i in range(50):
    d.execute('insert into t values(?)', (i,)); d.commit()
print(d.execute('select sum(x) from t').fetchone()); d.close()
P"
same "memory that is a file" "python3 - <<'P'
import mmap
f = open('f', 'w+b'); f.truncate(8192); m = mmap.mmap(f.fileno(), 8192); m[0:4] = b'word'; m.flush(); print(open('f', 'rb').read(4))
P"
same "an environment of Python" 'python3 -m venv --without-pip --symlinks v >/dev/null && v/bin/python -c "print(1)" && rm -rf v'
same "semaphores and shared memory" "python3 - <<'P'
import multiprocessing as m
from multiprocessing import shared_memory as s
q = m.Queue(); p = m.Process(target=q.put, args=(7,)); p.start(); print(q.get()); p.join()
a = s.SharedMemory(create=True, size=64); b = s.SharedMemory(name=a.name); a.buf[0] = 5; print(b.buf[0])
b.close(); a.close(); a.unlink()
P"
if have X86_64 && have PROGRAM gcc; then
	same "a compiler" 'echo "int main(void){return 7;}" >a.c; gcc -o a a.c && ./a; echo $?; rm -f a'
fi
# Of the names in /dev/shm the command has its own.
foreign=/dev/shm/sbx-t-foreign.$$
echo kept >"$foreign"
boxed sh -c "echo x >'$foreign'; ln '$foreign' '$foreign.2'; rm '$foreign'; : >'$foreign.3'"
is "memory of others stays" "$(cat "$foreign") $(echo /dev/shm/*sbx-t-foreign.$$*)" "kept $foreign"
rm -f "$foreign"
mine() { find /dev/shm -path "/dev/shm/sbx-shm.*/mine.$$" 2>/dev/null; }
boxed sh -c ": >/dev/shm/mine.$$; ls /dev/shm/sbx-shm.*/mine.$$ | wc -l"
is "control: it is in a directory of the run" "$out" 1
# shellcheck disable=SC2016
"${box[@]}" sh -c ': >"/dev/shm/mine.$1"; kill -9 $PPID; sleep 60' - $$ >/dev/null 2>&1
boxed true
is "... and nothing of ours is left, whoever was killed" "$(mine)" ""

have PROGRAM python3 || finish
boxed python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.bind("s"); s.listen(); print(s.getsockname())'
is "a socket gets a name" "$status $(stat -c %F "$ws/s")" "0 socket"
finish
