#!/bin/bash
# On a file system that ignores case .GIT is .git.  Where the mount on one is
# not one on the other, nothing is run; and sbx-policy --check-path sees it.
#
# Mounts of our own end with us.
[ "$(id -u)" != 0 ] || [ -n "${SBX_T_OWN_MOUNTS-}" ] || ! unshare -m true 2>/dev/null ||
	SBX_T_OWN_MOUNTS=1 exec unshare -m bash "$0"
. "${0%/*}/lib/lib.sh"
need MOUNTS # /dev/fuse is root's, and a mount outside of a user namespace

mkdir "$scratch/store" "$scratch/folded"
/usr/bin/python3 "$TESTS/helper/fold" "$scratch/store" "$scratch/folded" 2>"$scratch/log" &
kills+=($!)
eventually 10 mountpoint -q "$scratch/folded" || skip_all "no FUSE here: $(tail -n 1 "$scratch/log")"
folded=$scratch/folded/ws
store=$scratch/store/ws
mkdir "$folded"
git -C "$folded" init -q
echo x >"$folded/file"

touch "$folded/.GIT/hooks/CONTROL"
ok "control: without a sandbox .GIT is .git" test -e "$store/.git/hooks/control"
box=("$SBX/sbx-run" -s workspace-write -a never -C "$folded" --)
boxed sh -c 'echo evil >.GIT/hooks/pre-commit; mv .Git moved; touch ran'
is "the workspace cannot be protected: not run" "$status" 125
like "... and it is said" "$err" 'sbx-(run|linux-sandbox): .*cannot be protected: its file system ignores case'
ok "... nothing is written" absent "$store/.git/hooks/pre-commit"
ok "... and nothing ran" absent "$store/ran"
is "... no stub is left" "$(find "$store" -maxdepth 1 -name '.[ac]*')" ""

box=("$SBX/sbx-run" -s read-only -a never -C "$folded" --)
boxed sh -c 'cat FILE; echo evil >.GIT/hooks/pre-commit'
is "without anything to write it runs" "$out" x
ok "... and writes nothing" absent "$store/.git/hooks/pre-commit"

# A place that is hidden is hidden under any name.
mkdir "$folded/secret"
echo word >"$folded/secret/file"
hide='permissions.p={filesystem={":root"="read","'$folded'"="write","'$folded/secret'"="none"}}'
box=("$SBX/sbx-run" -a never -C "$folded" -c "$hide" -P p --)
unboxed cat "$folded/SECRET/file"
is "control: a hidden place in other letters" "$out" word
boxed cat "$folded/SECRET/file"
is "is not read" "$status $out" "125 "

# ---- questions about paths -----------------------------------------------------

may() { "$SBX/sbx-policy" -s workspace-write -C "$1" --check-path write "$2" 2>/dev/null | jq -r .allowed; }
for path in .GIT/hooks/pre-commit .Git .CODEX/config.toml .Agents/x; do
	is "$path may not be written there" "$(may "$folded" "$path")" false
	is "control: in an ordinary place it may" "$(may "$ws" "$path")" true
done
is "other files may" "$(may "$folded" FILE)" true
mkdir "$ws/.CODEX" "$ws/.codex"
is "two that are there are two" "$(may "$ws" .CODEX/x) $(may "$ws" .codex/x)" "true false"
set_box
boxed sh -c 'echo x >.CODEX/x; echo x >.codex/x'
ok "... also for the sandbox" test -e "$ws/.CODEX/x"
ok "... which protects one" absent "$ws/.codex/x"
umount "$scratch/folded"
finish
