#!/bin/bash
# Repositories deeper in a root are found by a walk that is bounded and says when it was cut.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
need PROGRAM git

# /tmp has a walk of its own; what lies there must not decide these claims.
no_tmp=(-c sandbox_workspace_write.exclude_slash_tmp=true)

mkdir -p "$ws/a/b/c" "$ws/node_modules/x" "$ws/with space" "$ws/.hidden/r" "$ws/plain" "$outside/r"
for d in a/b/c node_modules/x "with space" .hidden/r; do git init -q "$ws/$d"; done
git init -q "$outside/r"
ln -s "$outside" "$ws/out"
ln -s b "$ws/a/same"
mkdir "$ws/pointer" "$ws/elsewhere"
echo 'gitdir: ../elsewhere' >"$ws/pointer/.git"
policy_ww "${no_tmp[@]}"
for d in a/b/c node_modules/x "with space" .hidden/r pointer; do entry_is "$ws/$d/.git" read; done
entry_is "$ws/elsewhere" read
entry_is "$ws/plain/.git" absent
entry_is "$ws/a/same/c/.git" absent
is "links are not followed" "$(ask '[.policy.permissions.fs[].path | select(contains("/out"))] | length')" \
	"$(ask '[.policy.permissions.fs[].path | select(contains("/outside"))] | length')"
is "a small workspace is seen whole" "$(ask .policy.walk.cut)" false
ok "no directory inside .git is walked" test "$(ask .policy.walk.directories)" -le 14
ask '.policy.writable_roots[] | select(.root == $p) | .read_only_subpaths[]' --arg p "$ws" >"$scratch/subpaths"
ok "nested repositories are in read_only_subpaths" grep -qx "$ws/a/b/c/.git" "$scratch/subpaths"

# --add-dir roots are walked too, and /tmp a little.
mkdir -p "$scratch/more/deep"
git init -q "$scratch/more/deep"
policy_ww "${no_tmp[@]}" --add-dir "$scratch/more"
entry_is "$scratch/more/deep/.git" read

# 5000 directories.
many=$scratch/many
mkdir "$many"
(cd "$many" && for i in {1..10}; do eval "mkdir -p $i/{1..50}/{1..10}"; done)
git init -q "$many/1"
git init -q "$many/3/5/7/repo"
run "$SBX/sbx-policy" -C "$many" -s workspace-write "${no_tmp[@]}" -- true
is "a large workspace: cut, and said" "$(ask .policy.walk.cut)" true
is "and where" "$(ask .policy.walk.cut_roots)" "[\"$many\"]"
ok "a large workspace: bounded" test "$(ask .policy.walk.directories)" -lt 1000
entry_is "$many/1/.git" read
printf '[submodule "x"]\n\tpath = 3/5/7/repo\n' >"$many/.gitmodules"
run "$SBX/sbx-policy" -C "$many" -s workspace-write "${no_tmp[@]}" -- true
entry_is "$many/3/5/7/repo/.git" read
run "$SBX/sbx-policy" -C "$many" -s workspace-write --explain
like "--explain says it too" "$out" 'there may be more'

# The repository that holds the workspace itself, too deep for the walk.
git init -q "$many/9/49/9"
run "$SBX/sbx-policy" -C "$many/9/49/9/.git/hooks" -s workspace-write "${no_tmp[@]}" --add-dir "$many" -- true
entry_is "$many/9/49/9/.git" read

# Directories that were asked for their .git but not looked into.
for n in 60 120; do
	mkdir "$scratch/mid$n"
	(cd "$scratch/mid$n" && seq -f 'd%g' "$n" | xargs mkdir)
	for d in "$scratch/mid$n"/*; do mkdir "$d/.git"; done
	run "$SBX/sbx-policy" -C "$scratch/mid$n" -s workspace-write "${no_tmp[@]}" -- true
	is "$n directories: every repository is found" \
		"$(ask '[.policy.permissions.fs[] | select((.path | test("mid[0-9]+/d[0-9]+/.git$")) and .access == "read")] | length')" "$n"
	is "$n directories: cut" "$(ask .policy.walk.cut)" "$([ "$n" = 60 ] && echo false || echo true)"
done

# One directory with very many names.
mkdir "$scratch/wide"
(cd "$scratch/wide" && seq -f 'd%g' 3000 | xargs mkdir)
run "$SBX/sbx-policy" -C "$scratch/wide" -s workspace-write "${no_tmp[@]}" -- true
is "very many names: cut" "$(ask .policy.walk.cut)" true
entry_is "$scratch/wide/.git" read

# What a sandboxed program may have left behind stops nothing.
mkdir -p "$scratch/left/x" "$scratch/left/y"
echo 'gitdir: none/../gd' >"$scratch/left/x/.git"
ln -s /proc/self/cwd "$scratch/left/y/.git"
run "$SBX/sbx-policy" -C "$scratch/left" -s workspace-write "${no_tmp[@]}" -- true
is "pointers that lead nowhere: no failure" "$status" 0
like "but said" "$err" 'only the file itself'
entry_is "$scratch/left/x/.git" read
entry_is "$scratch/left/y/.git" read

# /tmp is shared: a stranger's repository there is none of ours.
if have ROOT; then
	in_tmp
	mkdir "$tmp/r" "$ws/target"
	printf 'gitdir: %s\n' "$ws/target" >"$tmp/r/.git"
	for owner in 1234 0; do
		chown "$owner" "$tmp/r/.git"
		run env TMPDIR="$tmp" "$SBX/sbx-policy" -C "$ws" -s workspace-write "${no_tmp[@]}" -- true
		if [ "$owner" = 0 ]; then wanted="read"; else wanted=absent; fi
		is "a repository of user $owner in a temporary directory" "$(entry "$tmp/r/.git")$(entry "$ws/target")" "$wanted$wanted"
	done
	ln -s "$ws/target" "$tmp/.git"
	for owner in 1234 0; do
		chown -h "$owner" "$tmp/.git"
		rm "$tmp/r/.git" 2>/dev/null
		run env TMPDIR="$tmp" "$SBX/sbx-policy" -C "$ws" -s workspace-write "${no_tmp[@]}" -- true
		if [ "$owner" = 0 ]; then wanted="read"; else wanted=absent; fi
		is "a link of user $owner in a temporary directory" "$(entry "$tmp/.git")$(entry "$ws/target")" "read$wanted"
	done
fi

# A directory that cannot be read.
mkdir -p "$scratch/closed/x"
chmod 000 "$scratch/closed/x"
run "$SBX/sbx-policy" -C "$scratch/closed" -s workspace-write "${no_tmp[@]}" -- true
is "closed directory: no failure" "$status" 0
if have USER; then is "closed directory of one's own: cut" "$(ask .policy.walk.cut)" true; fi
finish
