#!/bin/bash
# Repositories deeper in the workspace are protected like the one at its top.
. "${0%/*}/lib/lib.sh"
need PROGRAM git

git init -q "$ws"
git init -q "$ws/vendor/sub"
git init -q "$ws/a/b/c/d"
git init -q "$ws/with space/x"
mkdir -p "$ws/vendor/other"
for repo in vendor/sub a/b/c/d "with space/x"; do
	g=$ws/$repo/.git
	denied "$repo: hook" "$g" -- "$TRY" open "$g/hooks/pre-commit"
	denied "$repo: config" "$g" -- "$TRY" append "$g/config"
	denied "$repo: rename it away" "$g" -- sh -c "mv '$g' '$ws/away'; rm -rf '$ws/away'"
	denied "$repo: rename the repository" "$ws/$repo" -- sh -c "mv '$ws/$repo' '$ws/away' && mkdir -p '$g/hooks'; rm -rf '$ws/away'"
	denied "$repo: exchange" "$g" -- sh -c "mkdir -p '$ws/p/hooks'; '$TRY' exchange '$ws/p' '$g'; rm -rf '$ws/p'"
	allowed "control: $repo: a file" "$ws/$repo/file" -- "$TRY" open "$ws/$repo/file"
done
denied "the parent of a repository is moved" "$ws/vendor" -- sh -c 'mv vendor away && mkdir -p vendor/sub/.git/hooks; rm -rf away'
denied "the top of a deep one is moved" "$ws/a" -- sh -c 'mv a away && mkdir -p a/b/c/d/.git/hooks; rm -rf away'

# Bare ones: no `.git`, and all of it open.
git init -q --bare "$ws/remotes/x.git"
git init -q --bare "$ws/plain name"
mkdir -p "$ws/parts/objects" "$ws/parts/refs" "$ws/only/refs"
touch "$ws/only/HEAD"
for repo in remotes/x.git "plain name"; do
	g=$ws/$repo
	denied "$repo: hook" "$g" -- "$TRY" open "$g/hooks/post-receive"
	denied "$repo: config" "$g" -- "$TRY" append "$g/config"
	denied "$repo: rename it away" "$g" -- sh -c "mv '$g' '$ws/away'; rm -rf '$ws/away'"
done
denied "remotes is moved" "$ws/remotes" -- sh -c 'mv remotes away && mkdir -p remotes/x.git/hooks; rm -rf away'
for part in parts only; do
	allowed "control: $part is no repository" "$ws/$part/file" -- "$TRY" open "$ws/$part/file"
done
# As the workspace itself: what runs later is kept, and git works.
bare=$ws/remotes/x.git
git -C "$ws" -c user.name=t -c user.email=t@t commit -q --allow-empty -m one
git -C "$ws" push -q "$bare" HEAD:refs/heads/pushed
box=("$SBX/sbx-run" -s workspace-write -a never -C "$bare" --)
for name in hooks/post-receive config config.worktree commondir info/attributes; do
	denied "the workspace is bare: $name" "$bare/$name" -- "$TRY" open "$bare/$name"
done
run "${box[@]}" git update-ref refs/heads/made refs/heads/pushed
is "... and git works in it" "$status $(git -C "$bare" rev-parse made)" "0 $(git -C "$ws" rev-parse HEAD)"
box=("$SBX/sbx-run" -s workspace-write -a never -C "$bare/hooks" --)
denied "the workspace is its hooks" "$bare/hooks" -- "$TRY" open "$bare/hooks/post-receive"
box=("$SBX/sbx-run" -s workspace-write -a never -C "$bare" --add-dir "$bare" --)
allowed "control: who names it means all of it" "$bare/hooks/mine" -- "$TRY" open "$bare/hooks/mine"
rm -f "$bare/hooks/mine"
is "nothing is left behind" "$(cd "$bare" && echo *)" "HEAD branches config description hooks info objects refs"
set_box

# A workspace too large to walk: that is said, and it is not slow.
many=$scratch/many
mkdir "$many"
(cd "$many" && for i in $(seq 20); do eval "mkdir -p $i/{1..50}/{1..10}"; done)
git init -q "$many/20/50/10/repo"
cut() {
	"$SBX/sbx-policy" -s workspace-write -a never -C "$many" -- true |
		jq -c '[paths(scalars) as $p | select(any($p[]; tostring | test("cut|truncated|walk"))) | getpath($p)]'
}
run cut
g=$many/20/50/10/repo/.git
before=$(state "$g")
run "$SBX/sbx-run" -s workspace-write -a never -C "$many" -- "$TRY" open "$g/hooks/pre-commit"
if [ "$(state "$g")" = "$before" ]; then
	pass "10000 directories: the last repository is protected"
else
	like "10000 directories: a walk that was cut short is said in the document" \
		"$(cut)" 'true|[0-9]|cut'
fi

# What another user closed is closed to the command, and must not keep root from running.
if [ "$(id -u)" = 0 ]; then
	mkdir -m 700 "$ws/closed"
	mkdir -p "$ws/closed/.git"
	: >"$ws/closed/.git/HEAD"
	chown -R 65534 "$ws/closed"
	boxed sh -c 'echo ran; echo x >closed/.git/HEAD; mv closed/.git closed/g'
	is "a repository in a directory that another user closed keeps nobody from running" "$out" ran
	is "... and is not changed" "$(ls -A "$ws/closed")$(cat "$ws/closed/.git/HEAD")" .git
else
	skip "a repository in a directory that another user closed" "only root can make one"
fi
finish
