#!/bin/bash
# A workspace that is swapped for a link while the sandbox starts gives no
# write to where the link leads.
. "${0%/*}/lib/lib.sh"

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

# With a link as -C the user would have chosen its target as the workspace.
# What may never be is a policy for one place and a mount of the other: so the
# policy is made first, and the swapping starts then.
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
starts=$(long 80 250)
for ((i = 0; i < starts; i++)); do
	"$SBX/sbx-run" --exec <<<"$document" >/dev/null 2>&1
done
unswap "$ws"
ok "nor one that is swapped during $starts starts" absent "$outside/target/made"

# Where nothing is mounted, Landlock goes by what is found at a name.
{ have PROGRAM git && have LANDLOCK 3 && have NOTIFY; } || finish
. "$TESTS/lib/container.sh"
remove "$ws"
git init -q "$ws"
git init -q "$outside/target/repository"
attack='for place; do for f in .git/objects/made .git/refs/made made; do echo x 2>/dev/null >"$place/$f" && echo "$f"; done; done; true'
document=$("${docker[@]}" "$SBX/sbx-run" --dry-run -s workspace-write --allow git -a never -C "$ws" -- \
	sh -c "cd /; $attack" - "$ws" "$outside/target/repository")
run "${docker[@]}" "$SBX/sbx-run" --exec <<<"$document"
is "control: in a container of Docker's kind it writes in the workspace" "$(xargs <<<"$out")" ".git/objects/made .git/refs/made made"
before=$(state "$outside/target")
mv "$ws" "$ws.old"
ln -s "$outside/target/repository" "$ws"
run "${docker[@]}" "$SBX/sbx-run" --exec <<<"$document"
is "... and not where a link in its place leads" "$(state "$outside/target")" "$before"
finish
