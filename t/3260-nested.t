#!/bin/bash
# A sandbox in a sandbox works: what the outer one guarantees is counted, the
# rest is added, and what neither can give is refused in words.
. "${0%/*}/lib/lib.sh"
need NAMESPACES
need LANDLOCK 3 # alone, it holds the inner one

mkdir -p "$ws/inner/.git" "$ws/other"
nested=("$SBX/sbx-run" -s workspace-write -a never -C "$ws" --)
boxed "${nested[@]}" echo works
is "in the same workspace a command runs" "$out" works
boxed "${nested[@]}" sh -c 'exit 7'
is "its exit code comes back" "$status" 7
boxed "${nested[@]}" touch "$ws/made"
ok "the workspace is writable" test -e "$ws/made"
rm -f "$ws/made"
for name in .git .codex inner/.git/x; do
	boxed "${nested[@]}" touch "$ws/$name"
	ok "$name is not writable" absent "$ws/$name"
done
boxed "${nested[@]}" touch "$outside/made"
ok "outside neither" absent "$outside/made"
boxed "${nested[@]}" "$TRY" socket inet stream
like "no network in the inner one" "$out" '^socket E'
boxed "${nested[@]}" "${nested[@]}" echo deeper
is "a third level runs" "$out" deeper

# What the inner one asks for beyond the outer one, it does not get.
boxed "$SBX/sbx-run" -s workspace-write -a never --network on -C "$ws" -- "$TRY" tcp-connect 80 192.0.2.1
like "an inner sandbox reaches nobody" "$out" '^tcp-connect E'
set_box --network off
boxed "$SBX/sbx-run" -s workspace-write -a never --network on -C "$ws" -- "$TRY" socket inet stream
unlike "an inner sandbox cannot give back the network" "$out" 'socket ok'
boxed "${nested[@]}" echo works
is "in a sandbox without sockets a command runs" "$out" works
set_box
boxed "$SBX/sbx-run" -s workspace-write -a never --add-dir "$outside" -C "$ws" -- touch "$outside/made"
ok "nor a directory" absent "$outside/made"
boxed "$SBX/sbx-run" -s danger-full-access -a never -C "$ws" -- touch "$outside/made"
ok "nor can no sandbox at all" absent "$outside/made"

# A stricter one in a wider one.
boxed "$SBX/sbx-run" -s read-only -a never -C "$ws" -- sh -c 'echo works; touch made'
is "a read-only sandbox in a writable one runs" "$out" works
ok "and is read-only" absent "$ws/made"

# probe DESCRIPTION: the inner workspace is a part of the outer one
narrow=("$SBX/sbx-run" -s workspace-write -a never -C "$ws/inner" --)
probe() {
	boxed touch "$ws/other/made"
	ok "control: $1: the outer sandbox writes beside it" test -e "$ws/other/made"
	rm -f "$ws/other/made"
	boxed "${narrow[@]}" sh -c 'echo works; touch made ../other/made .git/made'
	ok "$1: beside it is not writable" absent "$ws/other/made"
	ok "$1: its .git is not writable" absent "$ws/inner/.git/made"
}
probe "a narrower workspace"
if [ "$status" = 125 ]; then
	like "a narrower workspace: what is missing is said, with the cure" "$err" 'nested'
	unlike "and nothing runs" "$out" works
else
	is "a narrower workspace: runs" "$out" works
fi
rm -f "$ws/inner/made"

# With sbx.nested the command may make user namespaces.  In one of its own it
# gets rid of the mounts that protect a name, so such a policy is refused.
cat >"$scratch/rename" <<'END'
#!/usr/bin/perl
# rename PLACE DIRECTORY: DIRECTORY/.git to DIRECTORY/moved, from a mount namespace without mounts
use Fcntl;
my ($unshare, $mount, $pivot_root, $umount, $renameat) = (272, 165, 155, 166, 264);
my ($none, $root, $tmpfs, $here, $git, $moved) = ("none", "/", "tmpfs", ".", ".git", "moved");
sysopen(my $directory, $ARGV[1], O_RDONLY | O_DIRECTORY) or die;
syscall($unshare, 0x10020000) == 0 or die "unshare: $!";
syscall($mount, $none, $root, 0, 0x44000, 0) == 0 or die "private: $!";
syscall($mount, $none, $ARGV[0], $tmpfs, 0, 0) == 0 or die "mount: $!";
chdir $ARGV[0] or die;
syscall($pivot_root, $here, $here) == 0 or die "pivot_root: $!";
syscall($umount, $here, 2) == 0 or die "umount: $!";
syscall($renameat, fileno($directory), $git, fileno($directory), $moved) == 0 or die "rename: $!";
END
chmod +x "$scratch/rename"
if have X86_64 && have PROGRAM perl; then
	unboxed "$scratch/rename" "$ws/other" "$ws/inner"
	ok "control: without the sandbox .git is renamed" test -d "$ws/inner/moved"
	mv "$ws/inner/moved" "$ws/inner/.git"
	boxed "$scratch/rename" "$ws/other" "$ws/inner"
	ok "in the sandbox it is not" test -d "$ws/inner/.git"
	set_box -c sbx.nested=true
	boxed "$scratch/rename" "$ws/other" "$ws/inner"
	ok "nor with sbx.nested" test -d "$ws/inner/.git"
fi
set_box -c sbx.nested=true
boxed touch made
is "sbx.nested with protected names in a writable directory: refused" "$status" 125
ok "... and nothing ran" absent "$ws/made"
like "... in words" "$err" 'sbx.nested: ".*" is protected in a writable directory'
run bash -c '"$1/sbx-policy" -s workspace-write -a never -C "$2" -c sbx.nested=true -- true | "$1/sbx-approve" | "$1/sbx-select"; exit "${PIPESTATUS[2]}"' - "$SBX" "$ws"
is "... by sbx-select, as not available" "$status" 4
run "$SBX/sbx-linux-sandbox" --policy '{"sbx":{"nested":true},"permissions":{"network":"off","fs":[{"path":"/","access":"read"},{"path":"'"$ws"'","access":"write"},{"path":"'"$ws"'/x","access":"none"}]}}' \
	--cwd "$ws" -- touch made
is "... and by the helper" "$status" 125
ok "... where nothing runs either" absent "$ws/made"

# Where nothing is protected in a writable directory, it works.
box=("$SBX/sbx-run" -s read-only -a never -C "$ws" -c sbx.nested=true --)
boxed echo works
is "sbx.nested with a read-only policy runs" "$out" works
boxed unshare -U true
is "... and user namespaces can be made" "$status" 0
boxed sh -c 'touch made; unshare -U touch made'
ok "... and it is read-only" absent "$ws/made"

# A network of its own needs a loopback that is set up, for which there is no
# capability in there: where the outer sandbox has nothing but a loopback, that one serves.
if [ "$(id -u)" = 0 ]; then
	echo "# root: without its capabilities root cannot map itself into a user namespace"
elif have USERNS && have PROGRAM python3; then
	cat >"$scratch/connect" <<-'END'
		import socket
		s = socket.socket()
		print("socket")
		s.bind(("127.0.0.1", 0))
		s.listen()
		socket.create_connection(s.getsockname())
		print("connected")
	END
	for network in off loopback; do
		box=("$SBX/sbx-run" -s read-only -a never --network "$network" -C "$ws" -c sbx.nested=true --)
		for inner in off loopback; do
			boxed "$SBX/sbx-run" -s read-only -a never --network "$inner" -C "$ws" -- \
				sh -c 'echo ran; exec python3 "$1"' - "$scratch/connect"
			like "network $inner inside $network: runs" "$out" '^ran'
			if [ "$network $inner" = "loopback loopback" ]; then
				like "... and connects to itself" "$out" 'connected'
			else
				unlike "... without a socket" "$out" 'socket'
			fi
		done
	done
fi
finish
