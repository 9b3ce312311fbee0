#!/bin/bash
# What the report suggests to git works when it is obeyed, or a sentence says why nothing does.
. "${0%/*}/lib/lib.sh"
need USERNS
need OBSERVER
need PROGRAM git
git_home
git config --global protocol.file.allow always
git config --global user.email a@example.org
git config --global user.name a
top=${scratch:?}/top
mkdir "$top"
cd "$top" || exit 1
report() { run "$SBX/sbx-run" -s workspace-write -a never --report human "$@"; }
advice() { sed -n 's/.*run again with: //p' <<<"$err"; }
# obeyed NAME COMMAND...: refused, and not after the suggestion
obeyed() {
	local name=$1 words
	shift
	report -- "$@"
	isnt "$name: refused at first" "$status" 0
	read -ra words <<<"$(advice)"
	report "${words[@]}" -- "$@"
	is "$name: works with ${words[*]}" "$status" 0
}
git init -q lib1
echo x >lib1/f
git -C lib1 add f
git -C lib1 commit -qm x
git init -q --bare bare.git
git init -q ws
git -C ws commit -q --allow-empty -m x
git -C ws remote add origin "$top/bare.git"

cd "$top/ws" || exit 1
obeyed "submodule add" git submodule add "$top/lib1" sub
git commit -qam sub
git clone -q . "$top/clone"
cd "$top/clone" || exit 1
obeyed "submodule update" git submodule update --init
ok "submodule update: it is there" exists sub/f
cd "$top/ws" || exit 1
obeyed "worktree add" git worktree add in
ok "worktree add: it is there" exists in/.git
report -- git push -q origin HEAD:main
is "push to a bare repository: it is named" "$(advice)" "--add-dir $top/bare.git"
report --allow git --add-dir "$top/bare.git" -- git push -q origin HEAD:main
is "push to a bare repository: works" "$status $(git -C "$top/bare.git" rev-parse main)" "0 $(git rev-parse HEAD)"
mkdir "$top/plain"
cd "$top/plain" || exit 1
obeyed "init" git init -q
ok "init: it is there" exists .git/HEAD

# A checkout needs an empty directory, which no root is.
git init -q "$HOME/own"
cd "$HOME/own" || exit 1
git commit -q --allow-empty -m x
report --allow git -- git worktree add "$HOME/beside"
isnt "a worktree beside the workspace is refused" "$status" 0
is "... without a suggestion that cannot work" "$(advice)" ""
like "... in words" "$err" "choose a new one in the workspace"
finish
