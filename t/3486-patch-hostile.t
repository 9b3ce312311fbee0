#!/bin/bash
# Patches against hostile trees: nothing but the approved files changes, and
# nothing is half done, whatever lies in the way and whenever it is killed.
. "${0%/*}/lib/lib.sh"
slow
. "$TESTS/lib/approver.sh"
need SANDBOX
export TERM=dumb
journals=$HOME/.codex/sbx/patches

apply() { run "$SBX/sbx-run" -s workspace-write -a "${policy-never}" -C "$ws" ${approver:+--approver "$approver"} --apply-patch "$@"; }
patch() { printf '*** Begin Patch\n%s\n*** End Patch\n' "$1"; }
tree() { (cd "$scratch" && find ws outside -printf '%p %y %l\n' -type f -exec cksum {} + | sort); }
fresh() {
	rm -rf "$ws"
	mkdir -p "$ws/d" "$ws/.git"
	printf 'one\n' >"$ws/a"
	printf 'one\n' >"$ws/d/b"
	printf 'one\n' >"$outside/file"
}

# refused DESCRIPTION PATCH-BODY [PREPARATION]: status, and nothing at all has changed
refused() {
	local before
	fresh
	(cd "$ws" && eval "${3-}")
	before=$(tree)
	apply "$(patch "$2")"
	isnt "refused: $1" "$status" 0
	is "... and nothing has changed" "$(tree)" "$before"
}
update() { printf '*** Update File: %s\n@@\n-one\n+two' "$1"; }
good=$(update a)
fresh
apply "$(patch "$good")"
is "control: a plain one is applied" "$status $(cat "$ws/a")" "0 two"
refused "a link to a file outside" "$good"$'\n'"$(update l)" 'ln -s ../outside/file l'
refused "a link to a file inside" "$(update l)" 'ln -s a l'
refused "a directory that is a link outside" "$good"$'\n''*** Add File: l/new'$'\n''+x' 'ln -s ../outside l'
refused "a directory that is a link inside" '*** Add File: l/new'$'\n''+x' 'ln -s d l'
refused "a link that leads nowhere" '*** Add File: l'$'\n''+x' 'ln -s ../outside/none l'
refused "deleting through a link" "$good"$'\n''*** Delete File: l/file' 'ln -s ../outside l'
refused "moving to a link" '*** Update File: a'$'\n''*** Move to: l' 'ln -s ../outside/file l'
refused "moving into a directory that is a link" '*** Update File: a'$'\n''*** Move to: l/x' 'ln -s ../outside l'
refused "steps back" "$good"$'\n''*** Add File: d/../../outside/new'$'\n''+x'
refused "an absolute path outside" "$good"$'\n'"*** Add File: $outside/new"$'\n''+x'
refused "a file below a new one" '*** Add File: n'$'\n''+x'$'\n''*** Add File: n/m'$'\n''+x'
like "... said" "$err" 'n/m: one file of the patch lies below another'
refused "a new file above one" '*** Add File: n/m'$'\n''+x'$'\n''*** Add File: n'$'\n''+x'
refused "a file below one that is there" "$good"$'\n''*** Add File: a/b'$'\n''+x'
refused "a file below one that goes" '*** Delete File: a'$'\n''*** Add File: a/b'$'\n''+x'
refused "a socket" "$good"$'\n''*** Delete File: s' '/usr/bin/python3 -c "import socket; socket.socket(socket.AF_UNIX).bind(\"s\")"'
like "... said" "$err" 's: is not a regular file'
refused "a protected name" "$good"$'\n''*** Add File: .git/hooks/pre-commit'$'\n''+x'
refused "... that is missing" '*** Add File: .codex/config.toml'$'\n''+x'
# What git or another version control would obey later, whoever reads the directory then.
for name in sub/.git/config sub/.git d/.GIT/hooks/x .GIT/config .hg/hgrc d/.HG/hgrc .Codex/config.toml; do
	refused "a repository of its own: $name" "$good"$'\n'"*** Add File: $name"$'\n+x'
done
# As some file systems spell it: short names, what Windows leaves out, what nobody sees.
for name in GIT~1/config git~2/hooks/x .git./config '.git /config' '.git::$INDEX_ALLOCATION/config' $'.g\u200cit/config' $'d/.GI\ufeffT/hooks/x' \
	CODEX~1/config.toml '.codex./config.toml' $'.\u200dagents/x' HG~1/hgrc; do
	refused "what is .git to another file system: $name" "$good"$'\n'"*** Add File: $name"$'\n+x'
done
bare=$'*** Add File: HEAD\n+ref: refs/heads/main\n*** Add File: config\n+[core]\n+\tbare = false\n+\tworktree = .\n+\tfsmonitor = '$ws$'/evil'
objects=$'*** Add File: objects/x\n+x\n*** Add File: refs/x\n+x'
refused "a bare one" "$bare"$'\n'"$objects"
refused "... in two steps" "$objects" 'echo "ref: refs/heads/main" >HEAD'
refused "... the other way round" "$bare" 'mkdir objects refs'
refused "... by another name for objects" $'*** Add File: HEAD\n+ref: refs/heads/main\n*** Add File: commondir\n+d'
fresh
apply "$(patch $'*** Add File: d/HEAD\n+1\n*** Add File: .github/x\n+1\n*** Add File: objects.c\n+1\n*** Add File: HEADER\n+1\n*** Add File: git~/x\n+1\n*** Add File: git~1x\n+1\n*** Add File: digit~1/x\n+1')"
is "control: names that only look alike" "$status $(cat "$ws/d/HEAD" "$ws/HEADER" "$ws/.github/x" "$ws/git~/x" "$ws/git~1x" "$ws/digit~1/x" | xargs)" "0 1 1 1 1 1 1"
refused "a file that is a directory" "$good"$'\n'"$(update d)"
refused "a directory in the place of a new file" '*** Add File: d'$'\n''+x'
refused "a file where a directory should be" "$good"$'\n''*** Add File: a/b'$'\n''+x'
refused "a fifo" "$(update p)" 'mkfifo p'
refused "what is not there, after what is" "$good"$'\n'"$(update none)"
refused "a name too long" "$good"$'\n'"*** Add File: $(printf 'x%.0s' {1..300})"$'\n''+x'
fresh
printf '*** Begin Patch\n*** Add File: n\0ul\n+x\n*** End Patch\n' >"$scratch/p"
before=$(tree)
"$SBX/sbx-run" -s workspace-write -a never -C "$ws" --apply-patch <"$scratch/p" 2>/dev/null
is "refused: NUL, and nothing has changed" "$? $(tree)" "1 $before"

# What the document does not name is not written, whatever the patch says.
fresh
before=$(tree)
"$SBX/sbx-policy" -s workspace-write -a never -C "$ws" --tool patch --file "$ws/d/b" -- apply_patch "$(patch "$good")" |
	"$SBX/sbx-approve" | "$SBX/sbx-select" | "$SBX/sbx-wrap" | "$SBX/sbx-run" --exec >"$scratch/.out" 2>"$scratch/.err"
isnt "a file that was not approved" "$?" 0
is "... is not written" "$(tree)" "$before"
like "... and is named" "$(cat "$scratch/.err")" "$ws/a.*not among the files"

# Modes, and what makes a program run as somebody else.
fresh
chmod 4751 "$ws/a"
apply "$(patch "$good")"
is "a mode is kept, but not set-user-id" "$(stat -c %a "$ws/a")" 751

# Swapped while it is applied: a directory becomes a link and a directory again.
fresh
cat >"$scratch/swap" <<'END'
import os, sys
ws, outside = sys.argv[1:]
os.symlink(outside, ws + "/l")
print("ready", flush=True)
while True:
    for a, b in (("d", "e"), ("l", "d"), ("d", "l"), ("e", "d")):
        os.rename(f"{ws}/{a}", f"{ws}/{b}")
END
rm -f "$outside/b"
python3 "$scratch/swap" "$ws" "$outside" >"$scratch/swapping" 2>/dev/null &
kill_later $!
eventually 10 grep -q ready "$scratch/swapping"
for ((i = 0; i < $(long 5 100); i++)); do
	apply "$(patch $'*** Add File: d/b\n+evil')"
	[ ! -e "$outside/b" ] || break
done
ok "a directory swapped for a link meanwhile is not followed" absent "$outside/b"
{ kill "${kills[-1]}" && wait "${kills[-1]}"; } 2>/dev/null

# Killed at every change of the file system, the writer or all of it.
three=$(patch "$good"$'\n''*** Delete File: d/b'$'\n''*** Add File: n/w/c'$'\n''+c')
fresh
old=$(tree)
apply "$three"
new=$(tree)
command=("$SBX/sbx-run" -s workspace-write -a never -C "$ws" --apply-patch "$three")
fresh
"$HELPER/fault" "$scratch/points" 20 - "${command[@]}" >/dev/null 2>&1
# The writer is the sbx-run that renames; of the others, what ends them.
writer=$(awk '$2 == "sbx-run" && $3 == "renameat2" {print $1; exit}' "$scratch/points")
ok "control: it is seen to write" grep -q "^$writer sbx-run landlock_restrict_self" "$scratch/points"
mapfile -t points < <(awk -v w="$writer" '
	$1 == w && $3 ~ /^(write|openat|mkdirat|fsync|fchmod|renameat2?|unlinkat|flock|landlock_restrict_self)$/ {print $1 ":" $3 ":" $4 ":KILL"}
	$1 == w && $3 ~ /^(write|fsync|fchmod|renameat2?|mkdirat)$/ {print $1 ":" $3 ":" $4 ":ENOSPC"}
	$1 == "0" && $3 ~ /^(ppoll|poll|read|wait4)$/ {print $1 ":" $3 ":" $4 ":KILL"}' "$scratch/points")
ok "control: there are calls to be killed at" [ "${#points[@]}" -gt 30 ]
wrong=0 undone=0 killed=0
for ((n = RANDOM % $(long 32 1); n < ${#points[@]}; n += $(long 32 1))); do
	fresh
	"$HELPER/fault" "$scratch/result" 20 "${points[n]}" "${command[@]}" >/dev/null 2>&1
	grep -q 'reached=1' "$scratch/result" && killed=$((killed + 1))
	now=$(tree)
	[ "$now" = "$old" ] || [ "$now" = "$new" ] || {
		# Nobody was left to undo it: the next one does.
		undone=$((undone + 1))
		apply "$(patch $'*** Add File: zz\n+z')"
		rm -f "$ws/zz"
		now=$(tree)
	}
	[ "$now" = "$old" ] || [ "$now" = "$new" ] || {
		wrong=$((wrong + 1))
		note "${points[n]}: $(diff <(echo "$old") <(echo "$now"))"
	}
done
note "$killed of ${#points[@]} points; $undone were undone by the next run"
is "ended or failing at any of its calls: all of it is there or nothing" "$wrong" 0
fresh
apply "$three"
is "and no journal is left" "$status $(ls -A "$journals")" "0 "

# Others change something at a call of the writer.
# meanwhile POINT WHAT-THEY-DO: in the workspace, with the file open as 7
meanwhile() {
	fresh
	exec 7>>"$ws/a"
	FAULT_RUN="cd '$ws' && $2" "$HELPER/fault" "$scratch/result" 20 "$1:RUN" "${command[@]}" >/dev/null 2>&1
	exec 7>&-
	grep -q reached=1 "$scratch/result"
}
mapfile -t points < <(awk -v w="$writer" '$1 == w && $3 ~ /^renameat/ {print $1 ":" $3 ":" $4}' "$scratch/points")
for words in 'echo theirs >>a' 'echo theirs >&7'; do
	lost=
	for point in "${points[@]}"; do
		meanwhile "$point" "$words" && grep -qx theirs "$ws/a" || lost+=" $point"
	done
	is "$words, at each of ${#points[@]} renames: what others write is not lost" "$lost" ""
done
# Nobody is left to undo it: the next run does.
both='w=$(ls -A | sed -n "s/^\.sbx-patch-\([0-9]*\)-.*/\1/p" | head -n 1); kill -KILL "$w" $(awk "/^PPid/ {print \$2}" "/proc/$w/status")'
half=0 wrong=
for point in "${points[@]}"; do
	meanwhile "$point" "$both"
	now=$(tree)
	[ "$now" = "$old" ] || [ "$now" = "$new" ] || half=$((half + 1))
	apply "$(patch $'*** Add File: zz\n+z')"
	rm -f "$ws/zz"
	now=$(tree)
	[ "$now" = "$old" ] || [ "$now" = "$new" ] || wrong+=" $point: $(diff <(echo "$old") <(echo "$now"))"
done
is "ended together with who started it, at each rename: the next run undoes it" "$wrong" ""
is "control: it was half done" "$half" "${#points[@]}"
mapfile -t points < <(awk -v w="$writer" '$1 == w && $3 ~ /^(open|mkdir|rename|link|unlink|newfstat|statx|fstat|write|fsync|fchmod|fchown|flock|landlock)/ {print $1 ":" $3 ":" $4}' "$scratch/points")
rm -rf "$outside/w" "$outside/b"
fresh
before=$(cd "$outside" && find . -type f -exec cksum {} +)
reached=0 followed=
for ((n = RANDOM % $(long 16 1); n < ${#points[@]}; n += $(long 16 1))); do
	meanwhile "${points[n]}" 'mv d e && ln -s ../outside d && { [ ! -d n ] || mv n m; } && ln -s ../outside n' && reached=$((reached + 1))
	[ "$(cd "$outside" && find . -type f -exec cksum {} +)" = "$before" ] || followed+=" ${points[n]}"
done
ok "control: others were there at its calls" [ "$reached" -gt 3 ]
is "directories that become links at any of its calls are not followed" "$followed" ""
fresh
apply "$three"
is "and no journal is left of that either" "$status $(ls -A "$journals")" "0 "

# Many files, and a large one.
fresh
files=$(long 300 10000)
python3 -c 'import sys
n = int(sys.argv[1])
print("*** Begin Patch")
for i in range(n):
    print("*** Add File: many/%d/%d\n+%d" % (i % 97, i, i))
print("*** End Patch")' "$files" >"$scratch/many"
"$SBX/sbx-run" -s workspace-write -a never -C "$ws" --apply-patch <"$scratch/many" >"$scratch/.out" 2>"$scratch/.err"
is "$files files" "$? $(find "$ws/many" -type f | wc -l)" "0 $files"
python3 -c 'import sys
for i in range(int(sys.argv[1]) * 10000): print("line %d" % i)' "$(long 20 1000)" >"$ws/large"
size=$(stat -c %s "$ws/large")
apply "$(patch $'*** Update File: large\n@@\n-line 199999\n+changed')"
is "a file of $((size >> 20)) MB" "$status $(sed -n 200000p "$ws/large")" "0 changed"

# A full disk.
if have MOUNTS; then
	cat >"$scratch/full" <<END
mount -t tmpfs -o size=1m none "$ws/d" || exit 9
printf 'one\\n' >"$ws/d/b"
head -c 700000 /dev/zero | tr '\\0' x >"$ws/d/filler"
before=\$(cksum "$ws"/a "$ws"/d/*)
"$SBX/sbx-run" -s workspace-write -a never -C "$ws" --apply-patch <"$scratch/big"
echo "status \$?"
[ "\$before" = "\$(cksum "$ws"/a "$ws"/d/*)" ] && echo unchanged
ls -A "$ws/d"
END
	fresh
	{
		printf '*** Begin Patch\n%s\n*** Update File: d/b\n@@\n-one\n' "$good"
		head -c 800000 /dev/zero | tr '\0' y | fold -w 100 | sed 's/^/+/'
		printf '\n*** End Patch\n'
	} >"$scratch/big"
	run unshare --mount bash "$scratch/full"
	is "a full disk: nothing is lost, and nothing left" "$(xargs <<<"$out")" "status 1 unchanged b filler"
	like "... and it is said" "$err" 'No space left'
else
	skip "a full disk" "no mounts here"
fi
finish
