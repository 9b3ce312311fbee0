#!/bin/bash
# --allow git: git works inside, and nothing that runs later on the host can
# be planted.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"
need USERNS
need PROGRAM git

export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e
rm -rf "$ws"
git init -q -b main "$ws"
cd "$ws" || exit 1
git config user.name n
git config user.email e
echo a >a && git add a && git commit -qm 1
set_box --allow git

no_box=("$SBX/sbx-run" -s workspace-write -a never -C "$ws" --)
run "${no_box[@]}" git commit -q --allow-empty -m no
isnt "control: without the preset a commit fails" "$status" 0
is "... from outside" "$(git log --oneline | wc -l)" 1

boxed sh -ec 'echo b >b; git add b; git commit -qm 2'
is "commit" "$status $(git log --format=%s -1)" "0 2"
boxed sh -ec 'git branch side; git tag t1; git tag -a t2 -m x; git checkout -q side; echo c >c; git add c; git commit -qm 3
	git checkout -q main; echo d >d; git add d; git commit -qm 4; git merge -q --no-edit side'
is "branch, tag, checkout, merge" "$status $(git log --oneline | wc -l) $(git tag | tr '\n' ' ')" "0 5 t1 t2 "
boxed sh -ec 'git checkout -q -b topic side; echo e >e; git add e; git commit -qm 5; git rebase -q main; git checkout -q main; git merge -q --ff-only topic'
is "rebase" "$status $(git log --format=%s -1)" "0 5"
boxed sh -ec 'echo x >>a; git stash -q; git stash pop -q; git checkout -q a; git pack-refs --all; git reset -q --hard HEAD~1; git status --short'
is "stash, pack-refs, reset" "$status $out" "0 "
boxed sh -ec 'git diff HEAD; git show -s --format=%s HEAD; git reset -q HEAD'
is "HEAD is a commit and no file" "$status $out" "0 $(git log -1 --format=%s)"
boxed git branch -D topic
is "a branch can be deleted" "$(git branch --list topic)" ""
boxed git fsck
is "fsck" "$status" 0
ok "nothing is left behind" test -z "$(find .git -maxdepth 1 -name commondir -o -maxdepth 1 -name modules -o -maxdepth 1 -name worktrees; find . -maxdepth 1 -name HEAD)"
is "status from outside" "$(git status --short)" ""

# What must not be possible, each with a control that it is without the sandbox.
denied "a hook" .git/hooks -- sh -c 'printf "#!/bin/sh\n" >.git/hooks/pre-commit'
denied "a hook, by rename" .git/hooks -- sh -c 'mkdir h; touch h/pre-commit; mv .git/hooks .git/old; mv h .git/hooks'
denied "config" .git/config -- git config core.fsmonitor /tmp/evil
denied "config, by rename" .git/config -- sh -c 'cp .git/config c; echo "[core]" >>c; mv c .git/config'
denied "config.worktree" .git/config.worktree -- sh -c 'echo "[core]" >.git/config.worktree'
denied "info/attributes" .git/info -- sh -c 'echo "* filter=x" >.git/info/attributes'
denied "commondir" .git/commondir -- sh -c 'mkdir -p e; rm -f .git/commondir; echo ../e >.git/commondir'
denied "commondir, by rename" .git/commondir -- sh -c 'echo ../e >c; mv -f c .git/commondir'
denied "commondir, by link" .git/commondir -- ln -sfT a .git/commondir
denied "objects cannot go" .git/objects -- mv .git/objects .git/o
denied "refs cannot go" .git/refs -- mv .git/refs .git/r
denied "the checkout cannot become a bare repository" HEAD -- sh -c 'echo "ref: refs/heads/x" >HEAD'
rm -rf e c h o HEAD .git/old .git/o .git/r
denied ".git cannot be replaced" .git/config -- sh -c 'mv .git g; mkdir .git; echo x >.git/config'
[ ! -e g ] || { rm -rf .git; mv g .git; }

# The whole attack, and a victim's git afterwards.
cat >evil <<END
#!/bin/sh
touch "$outside/ran"
END
chmod +x evil
prepare='
	mkdir -p bare/hooks bare/objects bare/refs; cp evil bare/hooks/post-checkout; cp evil bare/hooks/pre-commit
	printf "[core]\n\tfsmonitor = %s/evil\n\thooksPath = %s/bare/hooks\n\tbare = false\n\tworktree = %s\n[alias]\n\tst = !%s/evil\n" "$PWD" "$PWD" "$PWD" "$PWD" >bare/config
	echo "ref: refs/heads/main" >bare/HEAD'
plant="$prepare"'
	echo ../bare >.git/commondir; cp bare/config .git/config.worktree; cp bare/config .git/config; cp evil .git/hooks/pre-commit
	exit 0'
# Without a valid .git, git takes the directory itself for a repository.
replace="$prepare"'
	cp bare/config config; cp bare/HEAD HEAD; mkdir -p objects refs; echo junk >.git/HEAD
	exit 0'
cp -a .git "$scratch/saved.git"
undo() { rm -rf .git bare config HEAD objects refs "$outside/ran" && cp -a "$scratch/saved.git" .git; }
victim() {
	git status >/dev/null 2>&1
	git commit -q --allow-empty -m victim >/dev/null 2>&1
	git st >/dev/null 2>&1
}
for attack in "$plant" "$replace"; do
	boxed sh -c "$attack"
	ok "control: the attack was made" test -e bare/hooks/pre-commit
	victim
	ok "a git of the host runs nothing afterwards" absent "$outside/ran"
	undo
	unboxed sh -c "$attack"
	victim
	ok "control: without the sandbox it does" test -e "$outside/ran"
	undo
done

# In two steps: what one command may do makes the way for the next one.
bare="$prepare"'
	rmdir HEAD 2>/dev/null; cp bare/config config; cp bare/HEAD HEAD; mkdir -p objects refs'
spoil='echo junk >.git/HEAD'
in_two() {
	local what=$1
	"${no_box[@]}" sh -c "$2"
	boxed sh -c "$3"
	"${no_box[@]}" sh -c "$4"
	victim
	ok "$what: a git of the host runs nothing" absent "$outside/ran"
}
in_two "a directory for HEAD first" 'mkdir HEAD' "$bare; $spoil" : 2>/dev/null
undo
in_two "a bare repository first" "$bare" "$spoil" : 2>/dev/null
like "... with it the run is refused" "$err" "\"$ws\": is a bare repository beside its .git"
undo
in_two "a spoilt .git first" : "$spoil" "$bare" 2>/dev/null
undo
boxed sh -c "$bare; $spoil; sleep 20; touch late"
is "a repository beside .git ends the run" "$status $(ls late 2>/dev/null)" "125 "
like "... and is said" "$err" "\"$ws/HEAD\" was created during the run, beside a .git; the command was ended"
undo

# core.hooksPath and included files.
mkdir .githooks && cp evil .githooks/pre-push && echo '[core]' >.gitinclude
git config core.hooksPath .githooks
git config include.path ../.gitinclude
policy_ww --allow git
entry_is "$ws/.githooks" read
entry_is "$ws/.gitinclude" read
entry_is "$ws/.git/hooks" read
denied "a hook in core.hooksPath" .githooks -- sh -c 'cp evil .githooks/pre-commit'
denied "an included config" .gitinclude -- sh -c 'echo "[core]" >>.gitinclude'
git config --unset core.hooksPath
git config --unset include.path

# A linked worktree.
git worktree add -q "$scratch/tree" -b tree
box=("$SBX/sbx-run" -s workspace-write -a never -C "$scratch/tree" --allow git --)
run "${box[@]}" sh -ec 'echo t >t; git add t; git commit -qm tree; git tag t3'
is "a linked worktree: commit" "$status $(git log --format=%s -1 tree)" "0 tree"
run "${box[@]}" sh -c "touch $ws/.git/hooks/x; echo x >>$ws/.git/config; echo /x >$ws/.git/worktrees/tree/commondir; echo x >$ws/.git/worktrees/tree/config.worktree; echo x >$scratch/tree/.git; echo x >$ws/a; echo x >$ws/.git/commondir"
ok "... and nothing else" test -z "$(find .git/hooks -name x)" -a "$(git config user.name)" = n -a "$(cat a)" = a \
	-a "$(cat .git/worktrees/tree/commondir)" = ../.. -a ! -e .git/worktrees/tree/config.worktree -a ! -e .git/commondir
is "... it still is a worktree" "$(git -C "$scratch/tree" rev-parse --abbrev-ref HEAD)" tree

# Pointers that prove nothing open nothing.
mkdir "$scratch/forged"
echo "gitdir: $ws/.git" >"$scratch/forged/.git"
run "$SBX/sbx-policy" -C "$scratch/forged" -s workspace-write --allow git -- true
like "a forged pointer opens nothing" "$status $err" '^3 .*does not belong'
echo "gitdir: $HOME" >"$scratch/forged/.git"
run "$SBX/sbx-policy" -C "$scratch/forged" -s workspace-write --allow git -- true
is "... wherever it leads" "$status" 3

# No repository yet: the one that git makes there.
mkdir "$outside/new" "$outside/no"
run "$SBX/sbx-run" -s workspace-write -a never -C "$outside/no" -- git init -q
isnt "control: without the preset there is no init" "$status" 0
plant='git init -q; git config core.fsmonitor "touch '$outside'/ran; false"; git commit -q --allow-empty -m 1'
run "$SBX/sbx-run" -s workspace-write -a never -C "$outside/no" --allow git -- sh -ec "$plant"
git -C "$outside/no" status >/dev/null 2>&1
is "nor with git alone, which runs nothing later" "$status $(absent "$outside/ran"; echo $?)" "125 0"
like "... and says what does" "$err" '--allow git:config lets a command make one'
run "$SBX/sbx-run" -s workspace-write -a never -C "$outside/new" --allow git:config -- sh -ec 'git init -q; git commit -q --allow-empty -m 1'
is "init in a new directory, by who allows settings" "$status $(git -C "$outside/new" log --format=%s)" "0 1"

# Another worktree, while those that are there stay what they are.
denied "the way back of another worktree" .git/worktrees/tree/gitdir -- sh -c 'echo /evil >.git/worktrees/tree/gitdir'
denied "... and its settings" .git/worktrees/tree/config.worktree -- sh -c 'echo "[core]" >.git/worktrees/tree/config.worktree'
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --allow git -- git worktree add -q here -b here
is "a new worktree" "$status $(git -C here rev-parse --abbrev-ref HEAD)" "0 here"

# Settings, by a preset of their own.
like "settings: what is suggested" "$("$SBX/sbx-run" -s workspace-write -a never -C "$ws" --report human -- git config a.b c 2>&1)" \
	'run again with: --allow git:config$'
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --allow git --allow git:config -- git config a.b c
is "... works" "$status $(git config a.b)" "0 c"
like "... and warns" "$err" 'settings of git name programs'
like "a sparse checkout: what is suggested" \
	"$("$SBX/sbx-run" -s workspace-write -a never -C "$ws" --report human -- git sparse-checkout set d 2>&1)" \
	'run again with: --allow git:config$'
for both in "" "--allow git"; do
	# shellcheck disable=SC2086
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" $both --allow git:config -- git sparse-checkout set --no-cone '/*'
	is "... works${both:+, with both}" "$status $(cat .git/info/sparse-checkout)" "0 /*"
	git sparse-checkout disable
	rm -f .git/info/sparse-checkout
done
set_box --allow git:config
denied "... which leaves hooks alone" .git/hooks -- sh -c 'printf "#!/bin/sh\n" >.git/hooks/pre-commit'
denied "... and which files go through a filter" .git/info -- sh -c 'echo "* filter=x" >.git/info/attributes'
set_box --allow git

# A repository without a checkout, by naming it.
git init -q --bare "$outside/bare.git"
git remote add bare "$outside/bare.git"
push() { run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --allow git --report human "$@" -- git push -q bare HEAD:main; }
push
like "push to a bare repository: what is suggested" "$err" "^sbx-run: run again with: --add-dir $outside/bare.git\$"
push --add-dir "$outside/bare.git"
is "... works" "$status $(git -C "$outside/bare.git" log --format=%s -1 main)" "0 $(git log --format=%s -1)"

# A submodule, from within.
git init -q "$scratch/lib" && git -C "$scratch/lib" commit -q --allow-empty -m 1
git -c protocol.file.allow=always submodule --quiet add "$scratch/lib" lib 2>/dev/null && git commit -qm sub
git -C lib config user.name n && git -C lib config user.email e
box=("$SBX/sbx-run" -s workspace-write -a never -C "$ws/lib" --allow git --)
run "${box[@]}" git commit -q --allow-empty -m in-sub
is "a submodule as workspace: commit" "$status $(git -C lib log --format=%s -1)" "0 in-sub"
run "${box[@]}" git config core.fsmonitor /tmp/evil
is "... but no config" "$(git -C lib config core.fsmonitor)" ""

# ... and from above.
rm -rf lib2
cd "$ws" || exit 1
add=(git -c protocol.file.allow=always submodule --quiet add "$scratch/lib" lib2)
like "adding one: what is suggested" "$("$SBX/sbx-run" -s workspace-write -a never -C "$ws" --report human -- "${add[@]}" 2>&1)" 'run again with: --allow git:config$'
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --allow git:config -- "${add[@]}"
is "... works" "$status $(git submodule status lib2 | wc -l)" "0 1"
set_box --allow git
denied "settings of one that is there" .git/modules/lib/config -- sh -c 'git config -f .git/modules/lib/config core.fsmonitor /evil'
finish
