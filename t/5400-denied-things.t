#!/bin/bash
# The report names exactly the things that the sandbox denied: nothing that
# fails by itself, and nothing less.  Real programs, each with the whole list
# of what it must be denied; precision and recall are counted over all.
. "${0%/*}/lib/lib.sh"
slow
need OBSERVER
need PROGRAM curl

home=$scratch/home
mkdir -p "$home" "$outside/full" "$ws/sub"
# Only the system's programs: a wrapper in somebody's home would do things of its own.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin npm_config_update_notifier=false
unset XDG_CACHE_HOME XDG_CONFIG_HOME CARGO_HOME NPM_CONFIG_CACHE TMPDIR
export HOME=$home GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
echo kept >"$outside/file"
echo kept >"$outside/full/entry"
ln -s "$outside" "$ws/away"
ln -s "$outside/file" "$ws/awayfile"
echo mine >"$ws/mine"
mkdir "$ws/dir"

hits=0 wrong=0 missed=0

# denies DESCRIPTION EXPECTED [OPTION... --] COMMAND...: the list, one a line
denies() {
	local what=$1 expected=$2 options=() got
	shift 2
	while [ "${1#--}" != "$1" ] && [ "$1" != -- ]; do
		options+=("$1" "$2")
		shift 2
	done
	[ "$1" != -- ] || shift
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" "${options[@]}" --json -- "$@"
	got=$(jq -r '.result.denials[] | .op + " " + (.path // .address // .syscall)' <<<"$out" | sort -u)
	expected=$(sort -u <<<"$expected" | sed '/^$/d')
	is "$what" "$got" "$expected"
	while IFS= read -r line; do
		[ -n "$line" ] || continue
		if grep -qxF -- "$line" <<<"$expected"; then hits=$((hits + 1)); else wrong=$((wrong + 1)); fi
	done <<<"$got"
	while IFS= read -r line; do
		[ -z "$line" ] || grep -qxF -- "$line" <<<"$got" || missed=$((missed + 1))
	done <<<"$expected"
}
# held THERE ELSEWHERE: what is denied in namespaces of the sandbox's own, and without them
held() { if have NAMESPACES; then echo "$1"; else echo "${2-}"; fi; }
as_root() { [ "$(id -u)" != 0 ] || printf '%s' "$1"; }

denies "touch, a new file" "create $outside/x" touch "$outside/x"
denies "touch, a file that is there" "write $outside/file
change $outside/file" touch "$outside/file"
denies "touch in /etc: only root could" "$(as_root 'create /etc/sbx-test')" touch /etc/sbx-test
denies "mkdir -p" "create $home/a" sh -c 'mkdir -p ~/a/b'
denies "a redirection" "create $outside/r" sh -c 'echo x >"$1/r"' - "$outside"
denies "an appending redirection" "write $outside/file" sh -c 'echo x >>"$1"' - "$outside/file"
denies "chmod" "change $outside/file" chmod 600 "$outside/file"
denies "chown to oneself" "change $outside/file" sh -c 'chown "$(id -u)" "$1"' - "$outside/file"
denies "rm" "remove $outside/file" rm -f "$outside/file"
denies "truncate" "write $outside/file" truncate -s 0 "$outside/file"
denies "mv to another place" "create $outside/mine" mv mine "$outside/mine"
denies "mv from another place" "rename $outside/file
remove $outside/file" mv "$outside/file" got
rm -f "$ws/got"
denies "ln -s" "create $outside/l" ln -s x "$outside/l"
denies "ln" "create $outside/h" ln mine "$outside/h"
denies "a file without a name" "create $outside" \
	python3 -c 'import os, sys; os.open(sys.argv[1], os.O_TMPFILE | os.O_WRONLY, 0o600)' "$outside"
denies "rename onto .git, which is missing" "create $ws/.git" python3 -c 'import os; os.rename("dir", ".git")'
# Only a mount needs something to be there.
denies "into .git, which is missing" "$(held "create $ws/.git/hooks")" mkdir .git/hooks
denies "through a link to a directory" "create $outside/x" touch away/x
denies "through a link to a file" "write $outside/file" sh -c 'echo x >awayfile'
denies "by a way back" "create $outside/x" sh -c 'cd sub && : >../../outside/x'
denies "by a directory's descriptor" "create $outside/x" \
	python3 -c 'import os, sys; os.open("x", os.O_CREAT | os.O_WRONLY, dir_fd=os.open(sys.argv[1], os.O_RDONLY))' "$outside"
denies "by /proc/self/cwd" "create $outside/x" \
	python3 -c 'import os, sys; os.chdir(sys.argv[1]); open("/proc/self/cwd/x", "w")' "$outside"
denies "many at once, each once" "create $outside/1
create $outside/2" sh -c 'for i in 1 2 1 2 1; do (: >"$1/$i"); done' - "$outside"
is "with a count" "$(jq -c '[.result.denials[].count] | sort' <<<"$out")" '[2,3]'

denies "a name in a directory that is missing" '' touch "$outside/missing/x"
denies "a file that is missing" '' rm -f "$outside/missing"
denies "a directory that is there" '' mkdir -p "$outside/full"
denies "a directory that is not empty" '' rmdir "$outside/full"
denies "a file that must not be there and is" '' \
	python3 -c 'import os, sys; os.open(sys.argv[1], os.O_CREAT | os.O_EXCL | os.O_WRONLY)' "$outside/file"
denies "names in /proc, which nobody makes" '' \
	python3 -c 'import os; os.path.exists("/proc/x") or os.unlink("/proc/self/fd/0")' </dev/null
denies "... or makes" '' mkdir /proc/x
denies "reading" '' cat "$outside/file"
denies "what everybody may write to" '' \
	sh -c 'echo x >/dev/null; echo x >/dev/stderr; echo x >/dev/fd/2; echo x >/proc/self/fd/2'
denies "work in the workspace" '' \
	sh -c 'mkdir n; echo x >n/a; mv n/a n/b; ln n/b n/c; ln -s b n/d; chmod 600 n/b; touch n/d; rm -r n'
denies "work in /tmp" '' sh -c 'f=$(mktemp) && mv "$f" "$f.x" && rm "$f.x"'
if [ "$(id -u)" != 0 ]; then
	denies "files of somebody else" '' sh -c 'echo x >>/etc/passwd; chmod 666 /etc/passwd; rm /etc/passwd; mkdir /x'
fi

denies "curl" "$(held "connect 192.0.2.1:80" "socket inet")" curl -sS http://192.0.2.1/
denies "curl, to this machine" "$(held "connect 127.0.0.1:9" "socket inet")" --network off -- curl -sS http://127.0.0.1:9/
denies "a server on this machine" "$(held "bind 127.0.0.1:8765" "socket inet")" --network off -- python3 -m http.server --bind 127.0.0.1 8765
denies "a datagram" "$(held "send 192.0.2.1:9" "socket inet")" \
	python3 -c 'import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 9))'
denies "off: out of the machine" "$(held "connect 192.0.2.1:80" "socket inet")" --network off -- curl -sS http://192.0.2.1/
denies "a server that is not there" "$(held '' 'socket inet')" curl -sS http://127.0.0.1:9/
have NAMESPACES && denies "loopback: out of the machine" "connect 192.0.2.1:80" --network loopback -- curl -sS http://192.0.2.1/
denies "loopback: a server and its client" '' --network loopback -- python3 -c '
import socket
s = socket.create_server(("127.0.0.1", 0))
c = socket.create_connection(s.getsockname())
c.close()'
denies "loopback: a server that is not there" '' --network loopback -- curl -sS http://127.0.0.1:9/
denies "a mount: only root could" "$(held "$(as_root 'call mount')")" \
	python3 -c 'import ctypes; ctypes.CDLL(None).mount(b"x", b"/mnt", b"tmpfs", 0, None)'
denies "whole packets: only root could" "$(as_root 'socket socket')" \
	python3 -c 'import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)'
denies "a namespace, which anybody could have" "$(held "call unshare")" unshare -Un true
denies "ptrace" "call ptrace" python3 -c 'import ctypes; ctypes.CDLL(None).ptrace(16, 1, 0, 0)'

listen "unix-stream:$outside/stream" "unix-stream:$ws/stream"
denies "a unix socket of somebody else" "connect $outside/stream" "$TRY" unix-connect stream "$outside/stream"
denies "a unix socket of somebody else, in the workspace" "connect $ws/stream" "$TRY" unix-connect stream "$ws/stream"
denies "a unix socket of its own" '' python3 -c '
import socket
s = socket.socket(socket.AF_UNIX); s.bind("own"); s.listen()
c = socket.socket(socket.AF_UNIX); c.connect("own")'
rm -f "$ws/own"

git init -q "$ws/repo"
mkdir "$ws/repo/dir"
denies "rename onto .git" "rename $ws/repo/.git" sh -c 'cd repo && mv -T dir .git'
denies "mkdir .git" "create $ws/.git" mkdir .git
# One file to copy: in which order it finds several is up to the file system.
mkdir "$scratch/template" && echo x >"$scratch/template/description"
denies "git init" "create $ws/.git
$(held "create $ws/.git/description")" git init -q --template="$scratch/template"
denies "git commit" "create $ws/repo/.git/index.lock" sh -c 'cd repo && echo x >f && git add f && git commit -qm x'
denies "git status, which copes: no word about a lock that it does without" "" sh -c 'cd repo && git status'

if have PROGRAM pip3; then
	python3 - "$ws" <<'END'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + "/thing-1-py3-none-any.whl", "w") as w:
    w.writestr("thing.py", "")
    w.writestr("thing-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: thing\nVersion: 1\n")
    w.writestr("thing-1.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    w.writestr("thing-1.dist-info/RECORD", "thing.py,,\nthing-1.dist-info/METADATA,,\nthing-1.dist-info/WHEEL,,\nthing-1.dist-info/RECORD,,\n")
END
	denies "pip install, which may look whether there is IPv6" "create $outside/site$(held '' $'\nsocket inet')" \
		pip3 install -q --disable-pip-version-check --no-cache-dir --no-index --no-deps --target "$outside/site" thing-1-py3-none-any.whl
else
	skip 1 "pip3"
fi
if have PROGRAM npm; then
	printf '{"name":"x","version":"1.0.0"}' >"$ws/package.json"
	printf '{"name":"x","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"x","version":"1.0.0"}}}' >"$ws/package-lock.json"
	denies "npm ci, whose cache is a copy" "$(held '' "create $home/.npm"$'\nsocket socket')" npm ci --offline --no-audit
else
	skip 1 "npm"
fi
if have PROGRAM cargo; then
	mkdir -p "$ws/crate/src"
	printf '[package]\nname = "x"\nversion = "0.1.0"\n' >"$ws/crate/Cargo.toml"
	echo 'fn main() {}' >"$ws/crate/src/main.rs"
	denies "cargo build, the same" "$(held '' "create $home/.cargo")" sh -c 'cd crate && cargo build -q --offline'
else
	skip 1 "cargo"
fi

note "precision: $hits of $((hits + wrong)); recall: $hits of $((hits + missed))"
is "all that was reported was denied" "$wrong" 0
is "all that was denied was reported" "$missed" 0
finish
