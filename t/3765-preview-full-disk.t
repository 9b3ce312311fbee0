#!/bin/bash
# A full disk: of the workspace, nothing is changed and nothing is left beside it; of the
# place for previews, the command gets the error and the host is as it was.
. "${0%/*}/lib/lib.sh"
need USERNS
need OVERLAY
need MOUNTS
export HOME=$scratch/home
mkdir "$HOME" "$scratch/small"
# In mounts of its own, with a small file system as the workspace.
cat >"$scratch/filled" <<'END'
mount -t tmpfs -o size=4m,mode=755 none "$1/small" && cd "$1/small" || exit 9
echo old >f
"$2" --preview -a never --report off -- sh -c 'rm f; mkdir d; head -c 2000000 /dev/urandom >d/a; echo new >g' || exit 8
id=$("$2" --changes | cut -d ' ' -f 1)
head -c 3000000 /dev/zero >fill
"$2" --apply "$id" 2>"$1/said"
echo "status $?"
ls -A
cat f
ls -A "$HOME/.local/state/sbx/previews/journals"
rm fill
"$2" --apply "$id"
echo "status $?"
ls -A
stat -c %s d/a
END
run unshare --mount --propagation private sh "$scratch/filled" "$scratch" "$SBX/sbx-run"
is "nothing is changed, and all of it is when there is room" "$status $out" "0 status 125
f
fill
old
status 0
d
g
2000000"
like "... and the reason is said" "$(cat "$scratch/said")" "^sbx-run: \"$scratch/small/d/a\": No space left on device; nothing was changed"

cat >"$scratch/kept" <<'END'
mkdir -p "$HOME/state" && mount -t tmpfs -o size=2m,mode=700 none "$HOME/state" && cd "$1/ws" || exit 9
export XDG_STATE_HOME="$HOME/state"
echo old >f
"$2" --preview -a never --report off -- sh -c 'echo more >>f && head -c 9000000 /dev/urandom >big'
echo "status $?"
cat f
ls -A
id=$("$2" --changes | cut -d ' ' -f 1)
"$2" --discard "$id"
echo "status $?"
"$2" --changes
END
run unshare --mount --propagation private sh "$scratch/kept" "$scratch" "$SBX/sbx-run"
like "the command has the error" "$err" "No space left"
is "the host is as it was, and what was kept can be discarded" "$status $(grep -v '^status [1-9]' <<<"$out")" "0 old
f
status 0"
finish
