#!/bin/bash
# What git destroys for good is dangerous, however it is spelled.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
export HOME=$scratch/home
mkdir "$HOME"

# classes WANTED <lines of words: all of them through one stage
classes() {
	cat >"$scratch/lines"
	base=$(doc .)
	jq -cR --argjson d "$base" '. as $l | $d | .command.argv = ($l | split(" "))' "$scratch/lines" >"$scratch/docs"
	stage sbx-approve <"$scratch/docs"
	while IFS=$'\t' read -r class words; do
		is "$1: $words" "$class" "$1"
	done < <(jq -r '[.approval.command_class, (.command.argv | join(" "))] | @tsv' <<<"$out")
	is "control: all of them were judged" "$(wc -l <<<"$out")" "$(wc -l <"$scratch/lines")"
}
classes dangerous <<'END'
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
classes unknown <<'END'
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
