#!/bin/bash
# .git, .agents and .codex under every writable root are read, existing or not.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"

more=$scratch/more
mkdir "$more"
policy_ww --add-dir "$more"
for root in "$ws" "$more"; do
	for name in .git .agents .codex; do entry_is "$root/$name" read; done
done
policy_ww --tmp shared
for name in .git .agents .codex; do entry_is "/tmp/$name" read; done
policy_ww
for name in .git .agents .codex; do entry_is "/tmp/$name" absent; done
mkdir -p "$ws/.git/hooks" "$ws/.agents" "$ws/.codex"
policy_ww
for name in .git .agents .codex; do entry_is "$ws/$name" read; done
policy -s read-only
entry_is "$ws/.git" absent

# An explicit entry at or below a protected name reopens just that.
policy_ww --add-dir "$ws/.git"
entry_is "$ws/.git" write
entry_is "$ws/.codex" read
policy_ww --add-dir "$ws/.git/hooks"
entry_is "$ws/.git" read
entry_is "$ws/.git/hooks" write
is "the reopened part is a root of its own" \
	"$(ask '[.policy.writable_roots[].root]')" "[\"/tmp\",\"$ws\",\"$ws/.git/hooks\"]"

# A carve-out that is a link: the link, every link it leads through, the end.
rm -rf "$ws/.git" "$ws/.agents" "$ws/.codex"
mkdir -p "$ws/store/git" "$ws/hop" "$outside/agents"
ln -s hop/next "$ws/.git"
ln -s ../store/git "$ws/hop/next"
ln -s "$outside/agents" "$ws/.agents"
ln -s later/codex "$ws/.codex"
policy_ww
entry_is "$ws/.git" read
entry_is "$ws/hop/next" read
entry_is "$ws/store/git" read
entry_is "$ws/.agents" read
entry_is "$outside/agents" absent
entry_is "$ws/.codex" read
entry_is "$ws/later/codex" read

ln -sfn .git "$ws/.git"
policy_ww
is "a link to itself does not stop anything" "$status" 0
entry_is "$ws/.git" read
ln -sfn none/../elsewhere "$ws/.git"
policy_ww
like "a link whose end is open is refused" "$status $err" '^3 .*"\.\."'
ln -sfn /proc/self/cwd/x "$ws/.git"
policy_ww
like "a link through /proc is refused" "$status $err" '^3 .*link of /proc'

# Inside a repository's own directory nothing is writable by default.
rm -f "$ws/.git"
mkdir -p "$ws/.git/hooks"
run "$SBX/sbx-policy" -C "$ws/.git/hooks" -s workspace-write -- true
is "a workspace in .git runs" "$status" 0
entry_is "$ws/.git/hooks" absent
like "and says what it does not get" "$err" 'inside a repository.s own files'
run "$SBX/sbx-policy" -C "$ws/.git/hooks" -s workspace-write --add-dir "$ws" -- true
entry_is "$ws/.git" read
entry_is "$ws/.git/hooks" absent
run "$SBX/sbx-policy" -C "$ws/.git/hooks" -s workspace-write --add-dir "$ws/.git/hooks" -- true
entry_is "$ws/.git/hooks" write
finish
