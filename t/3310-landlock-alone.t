#!/bin/bash
# Landlock and seccomp without mounts: what they can hold they hold, and what
# they cannot is refused by name.
. "${0%/*}/lib/lib.sh"
need LANDLOCK 3

helper=$SBX/sbx-linux-sandbox
policy() { printf '{"permissions":{"fs":[%s],"network":"%s"}}' "$1" "${2:-off}"; }
alone() {
	local p=$1
	shift
	run "$helper" --landlock --policy "$p" --cwd "$ws" -- "$@"
}
read_only=$(policy '{"path":"/","access":"read"}')
writable=$(policy '{"path":"/","access":"read"},{"path":"'"$ws"'","access":"write"}')

alone "$writable" sh -c 'echo x >made'
ok "the workspace is writable" test -s "$ws/made"
sh -c "echo x >'$outside/control'"
ok "control: outside is writable without it" test -s "$outside/control"
alone "$writable" sh -c "echo x >'$outside/made'"
ok "outside is not" absent "$outside/made"
alone "$writable" mv "$ws/made" "$outside/moved"
ok "nothing is moved out" absent "$outside/moved"
alone "$writable" ln "$outside/control" "$ws/linked"
ok "nothing is linked in" absent "$ws/linked"
alone "$writable" truncate -s 0 "$outside/control"
ok "nothing outside is cut" test -s "$outside/control"

alone "$read_only" sh -c 'echo x >readonly'
ok "read-only: no write" absent "$ws/readonly"
before=$(stat -c '%a %Y' "$outside/control")
alone "$read_only" sh -c "chmod 777 '$outside/control'; touch -d @0 '$outside/control'; true"
is "read-only: no mode and no time changes" "$(stat -c '%a %Y' "$outside/control")" "$before"
chmod 600 "$outside/control"
unlike "control: they do without it" "$(stat -c '%a %Y' "$outside/control")" "^$before$"
# Attributes, through the file and, since Linux 6.17, through its name.
cat >"$scratch/attributes" <<'END'
#!/usr/bin/perl
open(my $file, "<", $ARGV[0]) or die;
my ($flags, $path, $attr) = (pack("q", 0x40), $ARGV[0], pack("QLLLL", 0x80, 0, 0, 0, 0));
ioctl($file, 0x40086602, $flags); # FS_IOC_SETFLAGS: no dump
syscall(469, -100, $path, $attr, 24, 0); # file_setattr: the same
END
chmod +x "$scratch/attributes"
attributes() { lsattr "$1" | cut -d ' ' -f 1; }
echo x >"$outside/attributes"
if before=$(attributes "$outside/attributes" 2>/dev/null) && have X86_64; then
	alone "$read_only" "$scratch/attributes" "$outside/attributes"
	is "read-only: no attribute changes" "$(attributes "$outside/attributes")" "$before"
	"$scratch/attributes" "$outside/attributes"
	isnt "control: without a sandbox it does" "$(attributes "$outside/attributes")" "$before"
else
	skip "read-only: no attribute changes" "no file system with attributes, or no x86_64"
fi

# The limits of another process end it, if they are low enough.
if have PROGRAM prlimit; then
	sleep 300 &
	kills+=($!)
	own=$(ulimit -Hn)
	alone "$writable" prlimit --pid $! --nofile=7:7
	like "the limits of others stay" "$(grep 'open files' /proc/$!/limits)" " $own "
	alone "$writable" sh -c 'ulimit -n 7 && ulimit -n'
	is "one's own do not" "$status $out" "0 7"
	prlimit --pid $! --nofile=7:7
	like "control: without a sandbox they do not stay" "$(grep 'open files' /proc/$!/limits)" ' 7 '
else
	skip "the limits of other processes" "no prlimit(1)"
fi

for call in "socket inet stream" "socket unix dgram" io_uring_setup ptrace "unshare user"; do
	# shellcheck disable=SC2086
	alone "$writable" "$TRY" $call
	like "refused: $call" "$out" ' E'
done
if have LANDLOCK 6; then
	sleep 300 &
	victim=$!
	kill_later "$victim"
	alone "$writable" sh -c "kill -9 $victim"
	ok "a process outside cannot be killed" kill -0 "$victim"
fi
alone "$writable" sh -c 'exit 7'
is "its code is the command's" "$status" 7
alone "$writable" sh -c 'setsid sleep 4711.25 & sleep 0.2; exit 0'
ok "what it leaves behind is ended" eventually 5 not_running 4711.25

# Where somebody listens to system calls already there can be no broker.
refusal() {
	run "$TRY" listened "$helper" --landlock --policy "$2" --cwd "$ws" -- touch "$ws/ran"
	is "$1: refused" "$status" 125
	like "$1: by name" "$err" "$3"
	ok "$1: and nothing ran" absent "$ws/ran"
}
mkdir "$ws/inner"
refusal "a read-only place in a writable one" \
	"$(policy '{"path":"/","access":"read"},{"path":"'"$ws"'","access":"write"},{"path":"'"$ws/inner"'","access":"read"}')" "$ws/inner"
refusal "a hidden place in a readable one" \
	"$(policy '{"path":"/","access":"read"},{"path":"'"$ws/inner"'","access":"none"}')" "$ws/inner"
# With no other interface what there is is private already.
if [ "$(grep -c : /proc/net/dev)" -gt 1 ]; then
	refusal "a private loopback" \
		"$(policy '{"path":"/","access":"read"},{"path":"'"$ws"'","access":"write"}' loopback)" loopback
else
	skip "a private loopback" "no other network interface here"
fi
finish
