#!/bin/bash
# Nothing is left in the workspace after a run, however it ends; what was
# there before stays, and runs do not remove what others need.
. "${0%/*}/lib/lib.sh"

listing() { (cd "$1" && find . -mindepth 1 | sort | tr '\n' ' '); }
clean() { is "$1" "$(listing "$ws")" "${2-}"; }

boxed true
clean "after a run the workspace is empty"
boxed false
clean "after a failure"
boxed sh -c 'kill -KILL $$'
clean "after a command that was killed"
run_sbx -s workspace-write -a never -C "$ws" --timeout 1 -- sleep 20
clean "after a time-out"
boxed /no/such/program
clean "after a command that is not there"
run_sbx -s read-only -a never -C "$ws" -- true
clean "after a read-only run"

# Killed: the next run removes what is left.
for _ in 1 2 3; do
	"${box[@]}" sleep 20 >/dev/null 2>&1 &
	launcher=$!
	eventually 5 sh -c 'tr "\0" " " <"/proc/$1/cmdline" | grep -q sbx-run' - "$launcher"
	sleep 0.2
	kill -KILL "$launcher"
	wait "$launcher" 2>/dev/null
done
# What it started ends by itself, and as long as it is there its stubs are in use.
export ws
eventually 5 sh -c '! pgrep -f -- "--policy .*$ws" >/dev/null'
boxed true
clean "after a launcher that was killed, the next run leaves it empty"
# The whole tree at once, so that no part can tidy.
setsid "${box[@]}" sleep 21 >/dev/null 2>&1 &
launcher=$!
sleep 0.3
everyone() {
	local child
	echo "$1"
	for child in $(pgrep -P "$1"); do everyone "$child"; done
}
mapfile -t pids < <(everyone "$launcher")
kill -KILL "${pids[@]}" 2>/dev/null
wait "$launcher" 2>/dev/null
sleep 0.2
note "left by killing all ${#pids[@]} at once: $(listing "$ws")"
boxed true
clean "after the whole tree was killed at once, likewise"

# Empty directories and files that were there stay.
mkdir "$ws/.git" "$ws/.codex"
: >"$ws/.agents"
boxed true
clean "empty ones that were there are kept" "./.agents ./.codex ./.git "
rm -rf "$ws/.git" "$ws/.codex" "$ws/.agents"

# Made by the user while a run is under way: not a stub of ours.
"${box[@]}" sh -c 'sleep 1' >/dev/null 2>&1 &
launcher=$!
sleep 0.4
run git init -q "$ws"
made=$status
wait "$launcher"
if [ "$made" = 0 ]; then
	ok "a repository made during a run is kept" test -e "$ws/.git/HEAD"
else
	skip "a repository made during a run is kept" "git init failed while the stub was there"
fi
rm -rf "$ws/.git"

# Two runs at a time: the first to end leaves the other protected.
"${box[@]}" sh -c 'sleep 2; mkdir .git && echo escaped >.git/x; mkdir .codex; true' >/dev/null 2>&1 &
long=$!
sleep 0.3
for _ in 1 2 3 4 5; do boxed true; done
wait "$long"
ok "a run that ends does not open another" absent "$ws/.git/x"
clean "and after both the workspace is empty"

# Many at once.
pids=()
for i in $(seq 20); do
	"${box[@]}" sh -c "sleep 0.$((i % 5)); mkdir .git .codex .agents; true" >/dev/null 2>&1 &
	pids+=($!)
done
wait "${pids[@]}"
clean "after twenty at once the workspace is empty"

# Temporary files of our own.
before=$(find /tmp "${XDG_RUNTIME_DIR:-/nonexistent}" -maxdepth 1 -user "$(id -u)" -newer "$scratch/.out" -name '*sbx*' ! -name 'sbx-t.*' ! -name '.sbx-*' 2>/dev/null)
is "no temporary file of ours is left" "$before" ""
finish
