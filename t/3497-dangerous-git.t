#!/bin/bash
# What git destroys for good is dangerous, however it is spelled.
. "${0%/*}/lib.sh"
. "$TESTS/documents.sh"
export HOME=$scratch/home
mkdir "$HOME"

class() {
	# shellcheck disable=SC2086 # words
	stage sbx-approve < <(doc ".command.argv = $(jq -cn '$ARGS.positional' --args -- $2)")
	is "$1: $2" "$(field .approval.command_class)" "$1"
}
while read -r words; do
	class dangerous "$words"
done <<'END'
git push origin +main
git push origin :main
git push --delete origin main
git push -d origin main
git push --mirror
git push --prune origin
git push --force-with-lease
git push --force-with-lease=main origin
git push -f
git --namespace x reset --hard
git --git-dir x reset --hard
git --work-tree x clean -fd
git --exec-path=x reset --hard
git --super-prefix x reset
git --config-env a=B push -f
git --attr-source HEAD push -f
git -c a.b=c -C x push origin +main
git --no-pager --namespace x push --mirror
git clean -f
git clean -xdf
git checkout -f
git checkout --force main
git checkout -- .
git checkout .
git restore .
git switch --discard-changes main
git branch -D main
git branch --delete --force main
git tag -d v1
git stash drop
git stash clear
git reflog expire --all
git gc --prune=now
git filter-branch --all
git update-ref -d refs/heads/main
git worktree remove --force x
truncate -s 0 x
xargs git push origin +main
sudo git --namespace x reset --hard
END
while read -r words; do
	class unknown "$words"
done <<'END'
git push
git push origin main
git push origin main:main
git --namespace x push origin main
git fetch --prune
git branch new
git stash
git worktree add x
git tag v1
git checkout main
git gc
END
finish
