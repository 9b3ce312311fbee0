#!/bin/bash
# A link made inside and leading outside is followed by nobody with more
# rights: not by the sandboxed program, not by the next run, not by our checks.
. "${0%/*}/lib/lib.sh"

victim=$outside/victim
echo good >"$victim"
mkdir "$outside/dir"

denied "a link to a file" "$victim" -- sh -c "ln -sfn '$victim' l && echo evil >l"
denied "a link to a directory" "$outside" -- sh -c "ln -sfn '$outside' d && echo evil >d/new"
denied "a chain of links" "$outside" -- sh -c "ln -sfn '$outside' c1; ln -sfn c1 c2; ln -sfn c2/dir c3; echo evil >c3/new"
denied "a relative link" "$outside" -- sh -c 'ln -sfn ../outside r && echo evil >r/new'
denied "a relative link whose parent moves" "$outside" -- \
	sh -c 'rm -rf m n; mkdir -p m/deep && ln -s ../../outside m/deep/l && mv m/deep n && mv n/l x && echo evil >x/new; rm -rf x m n; ln -sfn ../outside y; echo evil >y/new'
denied "through /proc/self/root" "$victim" -- sh -c "echo evil >/proc/self/root$victim"
denied "through /proc/1/root" "$victim" -- sh -c "echo evil >/proc/1/root$victim || echo evil >'/proc/self/root$victim'"
denied "through /proc/self/cwd/.." "$outside" -- sh -c 'echo evil >/proc/self/cwd/../outside/new'
denied "truncating through a link" "$victim" -- sh -c "ln -sfn '$victim' l; '$TRY' truncate l"
denied "renaming through a link" "$outside" -- sh -c "ln -sfn '$outside' d; echo evil >e; mv e d/e"

# A link that stays inside works.
echo x >"$ws/real"
allowed "control: a link inside" "$ws/real" -- sh -c 'ln -sfn real inner && echo more >>inner'

# The next run: links that the last one left where a root could be.
rm -rf "${ws:?}"/*
ln -s "$outside" "$ws/sub"
before=$(state "$outside")
run_sbx -s workspace-write -a never -C "$ws" -- sh -c 'echo evil >sub/new'
is "a directory of the workspace that is a link grants nothing" "$(state "$outside")" "$before"
ln -s "$outside" "$ws/.git"
ln -s "$outside/dir" "$ws/.codex"
ln -s ../outside/missing "$ws/.agents"
before=$(state "$outside" "$ws")
boxed sh -c 'echo evil >.git/x; echo evil >.codex/x; echo evil >.agents; mkdir .agents; rm .git .codex .agents'
is "protected names that are links: starts" "$(grep sbx- "$scratch/.err" | grep -vc "sbx-run: denied")" 0
is "protected names that are links: nothing changes" "$(state "$outside" "$ws")" "$before"

# A program's own file tools ask us first.
if "$SBX/sbx-policy" --help | grep -q -e --check-path; then
	check() { "$SBX/sbx-policy" -s workspace-write -C "$ws" --check-path write "$1"; }
	run check "$ws/plain"
	is "control: a plain file in the workspace may be written" "$status" 0
	for path in "$ws/sub/x" "$ws/sub/../outside/x" "$ws/sub" "$ws/.codex/x" "$ws/../outside/x"; do
		run check "$path"
		isnt "--check-path write ${path#"$scratch/"}" "$status" 0
	done
else
	skip "--check-path through links" "sbx-policy has no --check-path yet"
fi
finish
