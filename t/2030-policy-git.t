#!/bin/bash
# Pointer files, worktrees and submodules: what they point to is protected.
# shellcheck disable=SC2119
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
need PROGRAM git

export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
quiet() { "$@" >/dev/null 2>&1; }

# A linked worktree as the workspace, its repository in another writable root.
quiet git init "$scratch/main"
quiet git -C "$scratch/main" commit --allow-empty -m x
quiet git -C "$scratch/main" worktree add "$ws/tree"
ok "control: git made a pointer file" test -f "$ws/tree/.git"
run "$SBX/sbx-policy" -C "$ws/tree" -s workspace-write --add-dir "$scratch/main" -- true
entry_is "$ws/tree/.git" read
entry_is "$scratch/main/.git" read
run "$SBX/sbx-policy" -C "$ws/tree" -s workspace-write -- true
entry_is "$scratch/main/.git" absent
# From the other side, found through the repository's list.
run "$SBX/sbx-policy" -C "$scratch/main" -s workspace-write --add-dir "$ws" -- true
entry_is "$ws/tree/.git" read
# A person who opens the repository's .git opens what the pointer leads to.
run "$SBX/sbx-policy" -C "$ws/tree" -s workspace-write --add-dir "$scratch/main/.git" -- true
entry_is "$scratch/main/.git" write
entry_is "$scratch/main/.git/worktrees/tree" absent
rm -rf "$ws/tree"

# --separate-git-dir, and a common directory that is not called .git.
mkdir "$ws/data"
quiet git init --separate-git-dir "$ws/data/store" "$ws/apart"
run "$SBX/sbx-policy" -C "$ws/apart" -s workspace-write --add-dir "$ws" -- true
entry_is "$ws/apart/.git" read
entry_is "$ws/data/store" read
quiet git -C "$ws/apart" commit --allow-empty -m x
quiet git -C "$ws/apart" worktree add "$scratch/linked"
# Without the first checkout, only the worktree's commondir names the store.
rm -rf "$ws/apart"
run "$SBX/sbx-policy" -C "$scratch/linked" -s workspace-write --add-dir "$ws" -- true
entry_is "$ws/data/store" read
rm -rf "$ws/data"

# A submodule, checked out and not.
quiet git init "$scratch/lib"
quiet git -C "$scratch/lib" commit --allow-empty -m x
quiet git init "$ws"
deep=a/b/c/d/e/f/lib
quiet git -C "$ws" -c protocol.file.allow=always submodule add "$scratch/lib" "$deep"
ok "control: git made the submodule" test -f "$ws/$deep/.git"
policy_ww
entry_is "$ws/$deep/.git" read
entry_is "$ws/.git" read
rm "$ws/$deep/.git"
policy_ww
entry_is "$ws/$deep" read
touch "$ws/$deep/something"
policy_ww
entry_is "$ws/$deep/.git" read
rm -rf "${ws:?}/a" "$ws/.git" "$ws/.gitmodules"

# Pointer files by hand: spelling.
mkdir -p "$ws/gd" "$ws/ gd"
pointer() {
	printf %b "$1" >"$ws/.git"
	policy_ww
}
pointer 'gitdir: gd\n'
entry_is "$ws/gd" read
pointer "gitdir: $ws/gd"
entry_is "$ws/gd" read
pointer ' gitdir :gd\r\n\n'
entry_is "$ws/gd" read
pointer 'gitdir:  gd\n'
entry_is "$ws/gd" read
entry_is "$ws/ gd" read
pointer 'gitdir: missing/yet\n'
entry_is "$ws/missing/yet" read
pointer 'something: gd\n'
entry_is "$ws/gd" absent
entry_is "$ws/.git" read
pointer 'gitdir: ..\n'
is "a pointer to above changes nothing" "$status$(entry "$ws")" 0write
pointer 'gitdir: .\n'
is "a pointer to the workspace changes nothing" "$status$(entry "$ws")" 0write
{
	printf 'gitdir: gd'
	head -c 900000 /dev/zero | tr '\0' '\n'
} >"$ws/.git"
policy_ww
entry_is "$ws/gd" read
head -c 2000000 /dev/zero >"$ws/.git"
policy_ww
is "a large file is not read" "$status$(entry "$ws/.git")" 0read
rm "$ws/.git" && mkfifo "$ws/.git"
run timeout 60 "$SBX/sbx-policy" -C "$ws" -s workspace-write -- true
is "a fifo does not stop us" "$status$(entry "$ws/.git")" 0read

# However many entries there are when a hook brings more.
hooked=$scratch/hooked
git init -q "$hooked"
mkdir -p "$hooked/.husky/_"
ln -s ../../script "$hooked/.husky/_/commit-msg"
git -C "$hooked" config core.hooksPath .husky/_
broken=
for i in {1..40}; do
	printf '[include]\n\tpath = ../more%d\n' "$i" >>"$hooked/.git/config"
	run "$SBX/sbx-policy" -C "$hooked" -s workspace-write -- true
	[ "$status" = 0 ] || broken+=" $i"
done
is "a hook beside 1 to 40 included files" "$broken" ""
finish
