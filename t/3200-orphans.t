#!/bin/bash
# When the launcher or any part of it dies, nothing of the tree stays.
. "${0%/*}/lib/lib.sh"

number=0
# start SCRIPT: a tree of processes; $launcher, and $word in their arguments
stubborn='"$1" stay "$2" & setsid "$1" stay "$2" & (trap "" TERM HUP INT; sleep "$2") & : >up; "$1" stay "$2"'
plain='sleep "$2" & setsid sleep "$2" & (sleep "$2"; :) & : >up; sleep "$2"; exit 3'
start() {
	number=$((number + 1))
	word=9$$$(printf %03d "$number")
	rm -f "$ws/up"
	# In a group of its own and with the signals of an interactive shell: this
	# one ignores SIGINT for what it starts in the background.
	setsid env --default-signal=INT,QUIT "${box[@]}" bash -c "$1" - "$TRY" "$word" >/dev/null 2>&1 &
	launcher=$!
	disown
	kill_later "$launcher"
	eventually 10 test -e "$ws/up" && eventually 10 running "$word"
}

# Every process below one, itself included, deepest last.
tree() {
	local pid
	echo "$1"
	for pid in $(pgrep -P "$1"); do tree "$pid"; done
}
gone() {
	local begin end
	begin=$(date +%s%N)
	if eventually 5 not_running "$word"; then
		end=$(date +%s%N)
		pass "$1"
		note "gone after $(((end - begin) / 1000000)) ms"
	else
		fail "$1" "still running:" "$(pgrep -af -- "stay $word|sleep $word")"
		kill -KILL "$launcher" 2>/dev/null
		eventually 5 not_running "$word" || note "and not even after SIGKILL"
	fi
}

(exec -a sbx-control sleep "9$$000" & echo $! >"$scratch/pid")
ok "control: a process is seen from outside" eventually 5 running "9$$000"
kill -KILL "$(cat "$scratch/pid")"

for signal in KILL TERM HUP INT; do
	ok "$signal: the tree is up" start "$plain"
	kill "-$signal" "$launcher"
	gone "$signal to the launcher: nothing is left"
done
# A signal that asks to end is not a matter of taste.  SIGINT is: an
# interactive program may live on after ^C.
for signal in KILL TERM HUP; do
	ok "$signal: the stubborn tree is up" start "$stubborn"
	kill "-$signal" "$launcher"
	gone "$signal to the launcher: nothing is left of a tree that ignores it"
done

# One process of the tree after the other, from the launcher down.
start "$stubborn"
mapfile -t pids < <(tree "$launcher")
total=${#pids[@]}
note "processes in the tree: $total"
kill -KILL "$launcher"
gone "the tree of $total processes is gone"
i=0
while [ "$i" -lt "$total" ] && [ "$i" -lt 6 ]; do
	start "$stubborn"
	mapfile -t pids < <(tree "$launcher")
	what=$(tr '\0' ' ' <"/proc/${pids[$i]}/cmdline" | cut -c1-60)
	case $what in
	*stay* | sleep*)
		kill -KILL "$launcher"
		eventually 5 not_running "$word"
		break
		;;
	esac
	kill -KILL "${pids[$i]}"
	gone "SIGKILL to process $i ($what): nothing is left"
	kill -KILL "$launcher" 2>/dev/null
	i=$((i + 1))
done

# The command ends: what it left in the background ends with it.
number=$((number + 1))
word=9$$$(printf %03d "$number")
boxed bash -c '"$1" stay "$2" & setsid "$1" stay "$2" & sleep 0.2' - "$TRY" "$word"
is "the command returns" "$status" 0
gone "background processes end with the command"

# And a time-out.
word=9$$998
run_sbx -s workspace-write -a never -C "$ws" --timeout 1 -- bash -c '"$1" stay "$2" & "$1" stay "$2"' - "$TRY" "$word"
is "a time-out says so" "$status" 124
gone "nothing is left after a time-out"

# Killed at any moment while the sandbox is made.  In a copy of our own, so that
# its processes can be told from all others.
cp -R "$SBX" "$scratch/bin"
some() { pgrep -f "^[^ ]*sbx-.*$scratch/" >/dev/null; }
none() { ! some; }
for whose in vendored system; do
	have NAMESPACES || {
		skip "$whose bubblewrap: killed while it is made" "no namespaces here"
		continue
	}
	[ "$whose" = vendored ] || have PROGRAM bwrap || {
		skip "$whose bubblewrap: killed while it is made" "there is none"
		continue
	}
	for i in {1..120}; do
		"$scratch/bin/sbx-run" -s workspace-write -a never -C "$ws" -c "sbx.bwrap=\"$whose\"" -- sleep 300 >/dev/null &
		# Most are killed where the two processes of bubblewrap wait for each other.
		sleep "0.00$((i % 10))"
		kill -KILL $!
		wait $!
	done 2>/dev/null
	ok "$whose bubblewrap: killed while it is made, nothing is left" eventually 5 none
	pkill -KILL -f "^[^ ]*sbx-.*$scratch/"
	"$scratch/bin/sbx-run" -s workspace-write -a never -C "$ws" -c "sbx.bwrap=\"$whose\"" -- sleep 300 >/dev/null 2>&1 &
	ok "control: one that lives is seen" eventually 5 some
	kill -KILL $!
	eventually 5 none
done
finish
