#!/bin/bash
# A patch is one question: the whole of it, coloured, with its files; and a yes
# is to that patch.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/approver.sh"
need USERNS
screen=$HELPER/screen
printf 'one\n' >"$ws/a"
cat >"$scratch/patch" <<'END'
*** Begin Patch
*** Update File: a
@@
-one
+two
*** Add File: d/new
+new
*** End Patch
END
ask() { run "$SBX/sbx-run" -s workspace-write -C "$ws" --approver "$scratch/approver" --apply-patch "$@"; }
answer '{"decision":"denied"}'
ask "$(cat "$scratch/patch")"
is "no is no" "$status $(cat "$ws/a")" "126 one"
is "one question, with the files and the text" "$(jq -c '[.type, .files, (.patch | split("\n") | length), .command]' "$scratch/asked")" \
	"[\"apply_patch_approval_request\",[\"$ws/a\",\"$ws/d/new\"],8,[\"apply_patch\"]]"
answer '{"decision":"approved"}'
ask "$(cat "$scratch/patch")"
is "yes is yes" "$status $(cat "$ws/a" "$ws/d/new" | xargs)" "0 two new"

# A yes to a file outside the roots opens that file; a protected name needs more.
printf 'one\n' >"$outside/f"
printf 'one\n' >"$outside/g"
ask "$(printf '*** Begin Patch\n*** Update File: %s\n@@\n-one\n+two\n*** End Patch\n' "$outside/f")"
is "asked about and approved: a file outside" "$status $(cat "$outside/f")" "0 two"
mkdir "$ws/.git"
printf 'one\n' >"$ws/.git/config"
ask "$(printf '*** Begin Patch\n*** Update File: .git/config\n@@\n-one\n+two\n*** End Patch\n')"
isnt "not a protected name" "$status" 0
is "... which stays" "$(cat "$ws/.git/config")" one

# The session remembers the patch, not the files.
add() { printf '*** Begin Patch\n*** Add File: s/%s\n+x\n*** End Patch\n' "$1"; }
cat >"$scratch/twice" <<END
export HOME=$HOME
"$SBX/sbx-run" -s workspace-write -C "$ws" --json --apply-patch "\$(cat "$scratch/one")" | jq -r .approval.by
"$SBX/sbx-run" -s workspace-write -C "$ws" --json --apply-patch "\$(cat "$scratch/one")" | jq -r .approval.by
"$SBX/sbx-run" -s workspace-write -C "$ws" --json --apply-patch "\$(cat "$scratch/two")" | jq -r .approval.by
END
add one >"$scratch/one"
add one | sed 's/+x/+y/' >"$scratch/two"
answer '{"decision":"approved_for_session"}'
run "$SBX/sbx-approve" --serve --approver "$scratch/approver" -- bash "$scratch/twice"
is "approved for the session: that patch" "$(xargs <<<"$out")" "approver cache approver"
answer "{\"decision\":\"approved\",\"grant_root\":\"$ws/s\"}"
run "$SBX/sbx-approve" --serve --approver "$scratch/approver" -- bash "$scratch/twice"
is "a directory: every patch in it" "$(xargs <<<"$out")" "approver cache cache"

# At a terminal.
export NO_COLOR='' TERM=xterm
cat >"$scratch/ask" <<END
#!/bin/sh
exec "$SBX/sbx-run" -s workspace-write -C "$ws" --apply-patch <"$scratch/one" 2>/dev/null
END
chmod +x "$scratch/ask"
rows=$("$screen" 80 80 n 'abort ' -- "$scratch/ask")
like "its lines, each marked" "$rows" '^ +\| \+x$'
like "its files" "$rows" "changes +$ws/s/one"
cat >"$scratch/ptys.py" <<'END'
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
said = b""
while True:
    try:
        some = os.read(fd, 65536)
    except OSError:
        break
    if not some:
        break
    said += some
    if b"abort " in said:
        os.write(fd, b"n")
sys.stdout.buffer.write(said)
END
unset NO_COLOR
run python3 "$scratch/ptys.py" "$scratch/ask"
like "what is added is green" "$out" $'\033\\[32m\\+x\033\\[0m'
TERM=dumb run python3 "$scratch/ptys.py" "$scratch/ask"
unlike "not where the terminal has no colours" "$out" $'\033\\[32m'
finish
