#!/bin/bash
# A .git file that points elsewhere protects itself and what it points to:
# worktrees, submodules, and a gitdir that lies in the workspace.
. "${0%/*}/lib/lib.sh"
need PROGRAM git

git=(git -c user.name=t -c user.email=t@t -c init.defaultBranch=main -c protocol.file.allow=always)

# A worktree: its gitdir lies in another repository, outside the workspace.
main=$scratch/main
"${git[@]}" init -q "$main"
"${git[@]}" -C "$main" commit -q --allow-empty -m one
rmdir "$ws"
"${git[@]}" -C "$main" worktree add -q "$ws" 2>/dev/null
ok "control: .git is a file" test -f "$ws/.git"
denied "the pointer: overwrite" "$ws/.git" -- "$TRY" open "$ws/.git"
denied "the pointer: append" "$ws/.git" -- "$TRY" append "$ws/.git"
denied "the pointer: unlink" "$ws/.git" -- "$TRY" unlink "$ws/.git"
denied "the pointer: rename over it" "$ws/.git" -- sh -c 'echo "gitdir: x" >p; mv -f p .git'
denied "the pointer: rename away" "$ws/.git" -- "$TRY" rename "$ws/.git" "$ws/away"
denied "the pointer: exchange" "$ws/.git" -- sh -c "mkdir p; '$TRY' exchange p .git; rm -rf p"
denied "the gitdir outside" "$main" -- sh -c 'echo x >"$(sed "s/gitdir: //" .git)/config.worktree"'
boxed git status
is "git status works in a worktree" "$status" 0

# The gitdir lies in the workspace, below a directory that could be moved.
chmod -R u+w "$ws" && rm -rf "$ws" && mkdir -p "$ws/store/deep"
"${git[@]}" init -q --separate-git-dir "$ws/store/deep/dir" "$ws"
ok "control: .git is a file again" test -f "$ws/.git"
denied "gitdir inside: hooks" "$ws/store" -- "$TRY" open "$ws/store/deep/dir/hooks/pre-commit"
denied "gitdir inside: config" "$ws/store" -- "$TRY" append "$ws/store/deep/dir/config"
denied "gitdir inside: rename it away" "$ws/store" -- "$TRY" rename "$ws/store/deep/dir" "$ws/store/deep/away"
denied "gitdir inside: rename its parent" "$ws/store" -- sh -c 'mv store/deep store/away && mkdir -p store/deep/dir/hooks'
denied "gitdir inside: rename its grandparent" "$ws/store" -- sh -c 'mv store away && mkdir -p store/deep/dir/hooks; rm -rf away'
denied "gitdir inside: exchange its parent" "$ws/store" -- sh -c "mkdir -p p/dir/hooks; '$TRY' exchange p store/deep; rm -rf p"
allowed "control: beside the gitdir" "$ws/store/deep/x" -- "$TRY" open "$ws/store/deep/x"

# A submodule: its gitdir is below the .git of the workspace.
rm -rf "$ws" && mkdir "$ws"
"${git[@]}" init -q "$ws"
"${git[@]}" -C "$ws" submodule --quiet add "$main" sub 2>/dev/null
ok "control: the submodule has a pointer" test -f "$ws/sub/.git"
denied "submodule: its pointer" "$ws/sub/.git" -- "$TRY" open "$ws/sub/.git"
denied "submodule: its pointer, renamed over" "$ws/sub/.git" -- sh -c 'echo "gitdir: ../x" >p; mv -f p sub/.git'
denied "submodule: its hooks" "$ws/.git" -- "$TRY" open "$ws/.git/modules/sub/hooks/x"
allowed "control: a file of the submodule" "$ws/sub/x" -- "$TRY" open "$ws/sub/x"

# Not checked out: a .git cannot be made, and git does not stop at what prevents it.
"${git[@]}" -C "$ws" commit -qm sub
"${git[@]}" -C "$ws" submodule --quiet deinit -f sub
denied "an empty submodule: a repository in it" "$ws/sub" -- sh -c "mkdir '$ws/sub/.git'"
rm -rf "$ws/sub/.git"
denied "... or in place of it" "$ws/sub" -- sh -c "mv '$ws/sub' '$ws/was'; mkdir -p '$ws/sub/.git'"
[ ! -e "$ws/was" ] || { rm -rf "$ws/sub"; mv "$ws/was" "$ws/sub"; }
boxed sh -c "git -C '$ws' status --short -uno; sleep 1" &
waiting=$!
sleep 0.5
is "git outside, meanwhile" "$(git -C "$ws" status --short -uno 2>&1)" ""
wait "$waiting"
boxed git -C "$ws" status --short -uno
is "git inside" "$status$out$err" 0
"${git[@]}" -C "$ws" submodule --quiet update --init

# commondir and a pointer that leads nowhere, or to a hostile place.
rm -rf "$ws" && mkdir "$ws"
for target in /nonexistent/dir ../../../../../../.. "$ws/made-later" "" / /proc/self/root; do
	printf 'gitdir: %s\n' "$target" >"$ws/.git"
	boxed true
	# A pointer into /proc may mean another place at every look at it.
	case $target in
	/proc/*) like "a pointer to \"$target\" is refused in words" "$status $err" '^125 sbx-run: .*/proc' ;;
	*) is "starts with a pointer to \"$target\"" "$status" 0 ;;
	esac
	denied "pointer to \"$target\": overwrite" "$ws/.git" -- "$TRY" open "$ws/.git"
done
finish
