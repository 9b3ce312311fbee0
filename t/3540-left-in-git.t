#!/bin/bash
# --allow git: what the command leaves in .git is neither followed nor run by
# a git of the host afterwards.
. "${0%/*}/lib/lib.sh"
slow
need USERNS
git_home
victim=$HOME/.bashrc
echo 'true' >"$victim"

git init -q "$scratch/new"
echo a >"$scratch/new/a"
git -C "$scratch/new" add a
git -C "$scratch/new" commit -qm one
repository() {
	chmod -R u+rwx "$1" 2>/dev/null
	rm -rf "$1"
	cp -a "$scratch/new" "$1"
}
host_git() {
	cd "$1" || return
	echo "$RANDOM" >>a
	git status
	git commit -qam 'touch x'
	git checkout -q -b b
	git checkout -q main
	git tag -f -a t -m t
	git pack-refs --all
	git gc -q
	cd /
} >/dev/null 2>&1

# writes_nothing DESCRIPTION SCRIPT [OPTION...]: the victim's file is as it was
writes_nothing() {
	local what=$1 script=$2
	shift 2
	repository "$ws"
	unboxed sh -c "$script"
	host_git "$ws"
	is "control: $what" "$([ "$(cat "$victim")" = true ] || echo changed)" changed
	echo true >"$victim"
	repository "$ws"
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" "$@" -- sh -c "$script"
	is "$what: the command ran" "$status" 0
	like "... the link is named, with where it led" "$err" "left a link to \"$victim\" there.*it was removed"
	host_git "$ws"
	is "nothing written: $what" "$(cat "$victim")" true
	echo true >"$victim"
}
writes_nothing "COMMIT_EDITMSG" "ln -sf $victim .git/COMMIT_EDITMSG" --allow git
writes_nothing "logs/HEAD" "ln -sf $victim .git/logs/HEAD" --allow git
writes_nothing "logs of a branch" "ln -sf $victim .git/logs/refs/heads/main" --allow git
writes_nothing "logs of a branch whose name looks like a directory of objects" \
	"git checkout -q -b objects/ab/x; ln -sf $victim .git/logs/refs/heads/objects/ab/x" --allow git
writes_nothing "a link made elsewhere and moved" "ln -s $victim l; mv -f l .git/COMMIT_EDITMSG" --allow git
writes_nothing "a directory with a link, moved" \
	"mkdir d; cp -r .git/logs/refs d; ln -s $victim d/HEAD; rm -r .git/logs; mv d .git/logs" --allow git
writes_nothing "a directory that was closed" "ln -sf $victim .git/logs/HEAD; chmod 300 .git/logs" --allow git
writes_nothing "an explicit write entry" "ln -sf $victim .git/COMMIT_EDITMSG" --add-dir "$ws/.git"
writes_nothing "a part of .git" "ln -sf $victim .git/logs/HEAD" --add-dir "$ws/.git/logs"

# With what a hostile branch is called, the line of the log is a program.
repository "$ws"
branch='x;touch${IFS}ran'
attack="git branch '$branch'; ln -sf $victim .git/logs/HEAD"
later() { (cd "$ws" && git checkout -q "$branch"; cd "$outside" && bash "$victim") >/dev/null 2>&1; }
unboxed sh -c "$attack"
later
ok "control: a hostile branch name becomes code" exists "$outside/ran"
rm -f "$outside/ran"
echo true >"$victim"
repository "$ws"
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --allow git -- sh -c "$attack"
later
ok "... and does not after the sandbox" absent "$outside/ran"

# What was there before stays; what is made of ordinary files stays.
repository "$ws"
ln -s "$outside/mine" "$ws/.git/mine"
mkdir -p "$ws/.git/refs/deep/er"
ln -s "$outside/mine" "$ws/.git/refs/deep/er/link"
box=("$SBX/sbx-run" -s workspace-write -a never -C "$ws" --allow git --)
boxed sh -c 'ln -s x w; echo b >b; git add b; git commit -qm 2; mv .git/refs/deep/er/link .git/refs/deep/; mv .git/refs/deep/link .git/refs/deep/er/'
is "links of the user are kept, and nothing is said" "$status $err $(readlink "$ws/.git/mine" "$ws/.git/refs/deep/er/link" "$ws/w" | tr '\n' ' ')" \
	"0  $outside/mine $outside/mine x "
is "control: the commit was made" "$(git -C "$ws" log --format=%s -1)" 2
boxed sh -c "ln -s $outside .git/objects/zz; ln -s $outside .git/objects/pack/p; ln -sfT $outside .git/new; rm .git/mine; ln -s $victim .git/mine"
is "links to directories, and in place of another" "$(find "$ws/.git" -type l | sort)" "$ws/.git/refs/deep/er/link"
boxed sh -c 'mkfifo .git/COMMIT_EDITMSG.f; rm .git/index; mkfifo .git/index'
is "nothing waits for ever" "$(find "$ws/.git" -type p)" ""

# Elsewhere than in the workspace, no link can be made at all.
git -C "$ws" worktree add -q "$scratch/tree" -b tree
if have LANDLOCK; then
	run "$SBX/sbx-run" -s workspace-write -a never -C "$scratch/tree" --allow git -- \
		sh -c "echo t >t; git add t; git commit -qm tree; ln -s x $ws/.git/l || echo refused; mkfifo $ws/.git/f || echo refused; ln -s x l && echo usable"
	is "a linked worktree: links in the repository are refused" "$out" "refused
refused
usable"
	is "... and git works" "$(git -C "$ws" log --format=%s -1 tree)" tree
fi
git -C "$ws" worktree remove --force "$scratch/tree"

# ---- files that git believes ------------------------------------------------------
marker=$outside/ran
# believes_nothing DESCRIPTION FILE SCRIPT HOST-COMMAND
believes_nothing() {
	local what=$1 file=$2 script=$3 later=$4
	rm -rf "$marker"
	prepare
	unboxed sh -c "$script"
	(cd "$ws" && sh -c "$later") >/dev/null 2>&1
	ok "control: $what" exists "$marker"
	rm -rf "$marker"
	prepare
	boxed sh -c "$script"
	like "$what: it is put aside" "$err" "\.git/$file\": the command changed it.*was renamed to ${file##*/}\.sbx-[0-9a-f]{8}"
	(cd "$ws" && sh -c "$later") >/dev/null 2>&1
	ok "nothing happens: $what" absent "$marker"
	rm -rf "$marker"
}
prepare() {
	repository "$ws"
	git -C "$ws" checkout -q -b side
	echo b >"$ws/a"
	git -C "$ws" commit -qam side
	git -C "$ws" checkout -q main
	echo c >"$ws/a"
	git -C "$ws" commit -qam main
}
# The editor of a rebase that stops at once.
export GIT_EDITOR=true
believes_nothing "exec lines of a rebase" rebase-merge/git-rebase-todo \
	"git rebase -q side 2>/dev/null; echo 'exec touch $marker' >>.git/rebase-merge/git-rebase-todo; true" \
	'git checkout -q --theirs a; git add a; git rebase --continue'
believes_nothing "a rebase made up from nothing" rebase-merge/git-rebase-todo \
	"git rebase -q side 2>/dev/null; mv .git/rebase-merge k; git rebase --abort 2>/dev/null; mv k .git/rebase-merge; printf '  x\ttouch $marker\n' >.git/rebase-merge/git-rebase-todo" \
	'git add a; git rebase --continue'

# The paths of an index: git checked them when it put them in, and never again.
cat >"$scratch/forge" <<'END'
import hashlib, os, subprocess, sys
name, version = sys.argv[1].encode(), sys.argv[2]
blob = subprocess.run(["git", "hash-object", "-w", "--stdin"], input=b"#!/bin/sh\n", stdout=subprocess.PIPE).stdout.decode().strip()
holder = name.replace(b".", b"X")
subprocess.run(["git", "update-index", "--index-version", version, "--add", "--cacheinfo", "100755," + blob + "," + holder.decode()], check=True)
data = open(".git/index", "rb").read()[:-20].replace(holder, name)
open(".git/index", "wb").write(data + hashlib.sha1(data).digest())
END
# The table of where threads begin leads into an extension that nobody knows.
cat >"$scratch/forge-table" <<'END'
import hashlib, struct, sys
name = sys.argv[1].encode()
data = open(".git/index", "rb").read()[:-20]
at, count = 12, struct.unpack(">I", data[8:12])[0]
for _ in range(count):
    at += (62 + (struct.unpack(">H", data[at + 60:at + 62])[0] & 0xFFF) + 8) & ~7
entry = data[12:72] + struct.pack(">H", len(name)) + name
entry += bytes(((62 + len(name) + 8) & ~7) - len(entry))
table = struct.pack(">III", 1, at + 8, 1)
heads = b"AAAA" + struct.pack(">I", len(entry)), b"IEOT" + struct.pack(">I", len(table))
end = b"EOIE" + struct.pack(">II", 24, at) + hashlib.sha1(heads[0] + heads[1]).digest()
data = data[:at] + heads[0] + entry + heads[1] + table + end
open(".git/index", "wb").write(data + hashlib.sha1(data).digest())
END
if have PROGRAM python3; then
	for version in 2 4; do
		believes_nothing "an index (version $version) with a path outside" index \
			"python3 $scratch/forge ../outside/ran $version" 'git checkout -- .'
	done
	believes_nothing "an index that shows several threads another path" index \
		"python3 $scratch/forge-table ../outside/ran" 'git -c index.threads=4 checkout -- .'
	prepare
	boxed python3 "$scratch/forge" sub/.GIT/x 2
	like "... or into a repository" "$err" 'index": the command changed it'
	prepare
	boxed sh -c 'for i in 1 2 3 4 5; do mkdir -p d$i; echo x >d$i/.gitx; echo x >"d$i/a b"; done; git add .; git update-index --index-version 4; git commit -qm many'
	is "control: an honest index stays" "$status $err $(git -C "$ws" status --short)" "0  "
fi

# What git am was told to tell git apply, with the whole of a patch that is left.
cat >"$scratch/am" <<'END'
git format-patch -q -1 -o p side
echo n >n; git add n; git commit -qm n; git format-patch -q -1 --start-number 2 -o p; git reset -q --hard HEAD~1
git am -q p/* 2>/dev/null
printf " '-C1' '%s=%s'" "$1" "$2" >.git/rebase-apply/apply-opt
END
believes_nothing "another option for git apply" rebase-apply/apply-opt \
	"sh $scratch/am --build-fake-ancestor $marker" 'git am --skip'
believes_nothing "... cut short" rebase-apply/apply-opt "sh $scratch/am --bu $marker" 'git am --skip'
prepare
boxed sh "$scratch/am" --exclude "it'\\''s"
is "control: options of git am stay" "$err$(cd "$ws" && git am --skip 2>&1 && git log --format=%s -1)" n

# Indexes of other shapes are as honest.
prepare
git -C "$ws" config core.splitIndex true
git -C "$ws" config splitIndex.maxPercentChange 100
git -C "$ws" remote add origin /nowhere/sha256
boxed sh -c 'for i in 1 2 3 4 5 6 7 8 9; do echo $i >f$i; done; git add .; git commit -qm nine; echo x >>f1; git add f1; git commit -qm split'
is "a split index, and a remote that is called like a hash" "$status $err $(git -C "$ws" status --short; git -C "$ws" log --format=%s -1)" "0  split"
for version in 2 4; do
	prepare
	git -C "$ws" config index.threads 4
	git -C "$ws" config index.version "$version"
	boxed sh -c 'for i in 1 2 3 4 5 6 7 8 9; do echo $i >f$i; done; git add .; git rm -q a; git commit -qm table'
	is "a table for threads, version $version" "$status $err $(grep -c IEOT "$ws/.git/index") $(git -C "$ws" status --short)" "0  1 "
done
git -C "$ws" worktree add -q "$scratch/tree" -b tree
run "$SBX/sbx-run" -s workspace-write -a never -C "$scratch/tree" --allow git -- \
	sh -c "printf '[extensions]\nobjectformat = sha256\n' >$ws/.git/worktrees/tree/config; echo t >t; git add t; git commit -qm tree"
is "settings that a worktree does not have do not count" "$status $err $(git -C "$scratch/tree" status --short)" "0  "
git -C "$ws" worktree remove --force "$scratch/tree"

# A rebase of the user's, with lines of theirs, is theirs.
prepare
(cd "$ws" && git rebase -q -x "touch $marker" side) >/dev/null 2>&1
boxed sh -c 'echo d >a; git add a'
is "a rebase that the user began is left alone" "$status $err" "0 "
(cd "$ws" && git rebase --continue) >/dev/null 2>&1
ok "... and goes on" exists "$marker"
rm -f "$marker"
prepare
boxed sh -c 'git rebase -q side; echo d >a; git add a; GIT_EDITOR=true git rebase --continue >/dev/null'
is "control: a rebase inside, with a conflict" "$(git -C "$ws" log --format=%s -1) $(git -C "$ws" status --short)" "main "
printf '0123456789012345678901234567890123456789\t../../x\0' >"$scratch/rr"
boxed sh -c "cat $scratch/rr >.git/MERGE_RR; echo \"'a b' ; touch x\" >.git/BISECT_NAMES"
like "a conflict that git would resolve elsewhere" "$err" 'MERGE_RR": the command changed it'
like "words that a shell would read" "$err" 'BISECT_NAMES": the command changed it'
finish
