#!/bin/bash
# A workspace that is swapped for a link while the sandbox starts gives no
# write to where the link leads.
. "${0%/*}/lib.sh"
in_tmp

# The attacker controls the parent and swaps as fast as it can.
parent=$scratch/parent
ws=$parent/ws
mkdir -p "$ws" "$outside/target"
set_box
cat >"$scratch/swap.py" <<'END'
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
a, b = (os.fsencode(p) for p in sys.argv[1:3])
while True:
    libc.renameat2(-100, a, -100, b, 2)
END
swap() {
	ln -sfn "$outside/target" "$1.link"
	python3 "$scratch/swap.py" "$1" "$1.link" &
	swapper=$!
	kill_later "$swapper"
}
unswap() {
	kill -KILL "$swapper" 2>/dev/null
	wait "$swapper" 2>/dev/null
	[ ! -L "$1" ] || "$TRY" exchange "$1" "$1.link" >/dev/null
}
attack='echo x >made 2>/dev/null; echo x >"$1/made" 2>/dev/null; true'

swap "$ws"
ran=0 refused=0
for _ in $(seq 250); do
	if "${box[@]}" sh -c "$attack" - "$ws" >/dev/null 2>&1; then
		ran=$((ran + 1))
	else
		refused=$((refused + 1))
	fi
done
# The link itself names the target: with it as -C the user would have chosen
# the target as the workspace.  What may never be is a policy for one place
# and a mount of the other; so the policy is made first, and then swapped.
unswap "$ws"
note "started while swapping: $ran ran, $refused refused"
rm -rf "$outside/target" && mkdir "$outside/target"
document=$("$SBX/sbx-policy" -s workspace-write -a never -C "$ws" -- sh -c "$attack" - "$ws" |
	"$SBX/sbx-approve" | "$SBX/sbx-select" | "$SBX/sbx-wrap")
"$SBX/sbx-run" --exec <<<"$document" >/dev/null 2>&1
ok "control: the document runs and writes in the workspace" test -e "$ws/made"
rm -f "$ws/made"

# Swapped for good: a fixed link must be refused or harmless.
"$TRY" exchange "$ws" "$ws.link" >/dev/null 2>&1 || {
	ln -sfn "$outside/target" "$ws.link"
	"$TRY" exchange "$ws" "$ws.link" >/dev/null
}
ok "control: the workspace is a link now" test -L "$ws"
run "$SBX/sbx-run" --exec <<<"$document"
ok "a workspace that became a link gives no write there" absent "$outside/target/made"
"$TRY" exchange "$ws" "$ws.link" >/dev/null

swap "$ws"
for _ in $(seq 250); do
	"$SBX/sbx-run" --exec <<<"$document" >/dev/null 2>&1
done
unswap "$ws"
ok "nor one that is swapped during 250 starts" absent "$outside/target/made"

# The same with a protected directory: .git is swapped for a harmless one.
mkdir -p "$ws/.git/hooks" "$ws/decoy"
python3 "$scratch/swap.py" "$ws/.git" "$ws/decoy" &
swapper=$!
kill_later "$swapper"
for _ in $(seq 100); do
	"${box[@]}" sh -c 'echo evil >.git/hooks/x' >/dev/null 2>&1
done
kill -KILL "$swapper" 2>/dev/null
wait "$swapper" 2>/dev/null
is "a .git that is swapped while starting gets no hook" "$(find "$ws" -name x)" ""
finish
