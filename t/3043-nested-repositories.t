#!/bin/bash
# Repositories deeper in the workspace are protected like the one at its top.
. "${0%/*}/lib.sh"
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
finish
