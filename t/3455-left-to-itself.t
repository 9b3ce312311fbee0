#!/bin/bash
# What a command keeps cannot be used against those outside: no lock stops
# other runs, no lease makes writers wait, nothing of the set-up stays open
# beside it, and without namespaces it cannot steer other processes.
. "${0%/*}/lib/lib.sh"
need PROGRAM perl

# ---- a stub that somebody keeps locked ---------------------------------------

# A directory that looks like a stub: it is somebody's, and is protected as it is.
is_locked() { ! flock -n -s "$1" true; }
lock() { # DIRECTORY [USER]
	local as=()
	[ -z "${2-}" ] || as=(setpriv --reuid="$2" --regid="$2" --clear-groups)
	mkdir -m 1555 "$1"
	[ -z "${2-}" ] || chown "$2" "$1"
	${as[@]+"${as[@]}"} flock -x -F "$1" sleep 30 &
	kill_later $!
	eventually 5 is_locked "$1"
}
lock "$ws/.codex"
boxed sh -c 'echo runs; chmod 755 .codex; echo evil >.codex/config.toml'
is "a locked look-alike of our own: the command runs" "$out" runs
ok "... and it is protected" absent "$ws/.codex/config.toml"
ok "... and kept" test -d "$ws/.codex"
if have ROOT && have PROGRAM setpriv; then
	chmod 1777 "$ws"
	chmod 711 "$scratch"
	lock "$ws/.agents" 65534
	boxed sh -c 'echo runs; echo evil >.agents/file'
	is "one of another user: the command runs" "$out" runs
	ok "... and it is protected" absent "$ws/.agents/file"
	unboxed sh -c 'echo evil >.agents/file'
	ok "control: without the sandbox it is written" test -e "$ws/.agents/file"
fi
for pid in "${kills[@]}"; do { kill "$pid" && wait "$pid"; } 2>/dev/null; done
kills=()
rm -rf "$ws/.codex" "$ws/.agents"

# ---- leases --------------------------------------------------------------------

echo text >"$outside/file"
cat >"$scratch/lease" <<'END'
#!/usr/bin/perl
$| = 1;
$SIG{IO} = "IGNORE";
open(my $file, "<", $ARGV[0]) or die;
my $held = fcntl($file, 1024, 0); # F_SETLEASE, F_RDLCK
print $held ? "held\n" : "refused\n";
sleep 20;
END
chmod +x "$scratch/lease"
# waits COMMAND...: does somebody outside wait to write while the command holds what it can?
waits() {
	: >"$scratch/.lease"
	"$@" "$scratch/lease" "$outside/file" >"$scratch/.lease" 2>&1 &
	local holder=$!
	eventually 5 grep -qE 'held|refused' "$scratch/.lease"
	if timeout 1 sh -c 'echo more >>"$1"' - "$outside/file"; then echo no; else echo yes; fi
	{ pkill -P "$holder"; kill "$holder"; wait "$holder"; } 2>/dev/null
}
is "control: a lease makes a writer wait" "$(waits env)" yes
is "in the sandbox there is none" "$(waits "${box[@]}")" no
like "... it is refused" "$(cat "$scratch/.lease")" refused

# ---- what stays open in process 1 -------------------------------------------------

first_inside() { # LAUNCHER
	local child
	for child in $(pgrep -P "$1"); do
		if grep -qE '^NSpid:.*[[:space:]]1$' "/proc/$child/status" 2>/dev/null; then
			echo "$child"
		else
			first_inside "$child"
		fi
	done
}
if have ROOT && have NAMESPACES; then
	exec 7<"$outside/file"
	for bwrap in vendored system; do
		[ "$bwrap" = vendored ] || have PROGRAM bwrap || continue
		rm -f "$ws/began"
		"$SBX/sbx-run" -s workspace-write -a never -C "$ws" -c "sbx.bwrap=\"$bwrap\"" --keep-fd 7 -- \
			sh -c ': >began; sleep 20' >/dev/null 2>&1 &
		launcher=$!
		kill_later "$launcher"
		eventually 5 test -e "$ws/began"
		first=$(first_inside "$launcher")
		files=$(for fd in "/proc/$first/fd"/*; do [ "${fd##*/}" -le 2 ] || readlink "$fd"; done | sort | tr '\n' ' ')
		isnt "$bwrap: process 1 is found" "$first" ""
		unlike "$bwrap: no file or directory stays open in it" " $files" ' /[^d]| /d[^e]'
		is "$bwrap: it has what it needs, no more" "$(wc -w <<<"$files")" 2
		kill "$launcher"
		wait "$launcher" 2>/dev/null
	done
	exec 7<&-
fi

# ---- processes outside, where there is no namespace ---------------------------------

have LANDLOCK 3 || { skip "Landlock alone" "this kernel has none"; finish; }
sleep 60 &
victim=$!
kill_later "$victim"
policy='{"permissions":{"fs":[{"path":"/","access":"read"}],"network":"off"}}'
alone=("$SBX/sbx-linux-sandbox" --landlock --policy "$policy" --cwd "$ws" --)
cat >"$scratch/steer" <<'END'
#!/usr/bin/perl
# steer PID: nice value, affinity, io priority, limits, scheduling; says which calls worked
my $pid = $ARGV[0] + 0;
my %calls = (
	setpriority => [141, 0, $pid, 19],
	ioprio_set => [251, 1, $pid, 3 << 13],
	sched_setaffinity => [203, $pid, 8, pack("Q", 1)],
	sched_setscheduler => [144, $pid, 3, pack("l", 0)],
	sched_setattr => [314, $pid, pack("LLQlLQQQ", 48, 3, 0, 7, 0, 0, 0, 0), 0],
	prlimit64 => [302, $pid, 4, pack("QQ", 0, 0), 0],
	migrate_pages => [256, $pid, 8, pack("Q", 1), pack("Q", 1)],
);
for my $name (sort keys %calls) {
	my @all = @{$calls{$name}};
	print "$name\n" if syscall($all[0], @all[1 .. $#all]) == 0;
}
END
chmod +x "$scratch/steer"
look() { echo "$(ps -o ni= -o cls= -p "$victim") $(taskset -p "$victim") $(ionice -p "$victim") $(prlimit --core -o SOFT --noheadings -p "$victim")"; }
if ! have X86_64; then
	skip "Landlock alone: other processes" "written for x86_64"
	finish
fi
before=$(look)
run "${alone[@]}" "$scratch/steer" "$victim"
is "Landlock alone: a process outside is not steered" "$(look)" "$before"
is "... by none of the calls" "$out" ""
run "${alone[@]}" "$scratch/steer" 0
like "... a command can steer itself" "$out" setpriority
like "... in every way" "$out" sched_setaffinity
run "${alone[@]}" nice -n 3 nice
is "... and be nice" "$out" "$(($(nice) + 3))"
run "$scratch/steer" "$victim"
isnt "control: without the sandbox it is steered" "$(look)" "$before"
finish
