#!/bin/bash
# $TMPDIR comes from the environment: only a temporary directory is granted.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"

# with VALUE OPTION...
with() {
	local value=$1
	shift
	run env TMPDIR="$value" "$SBX/sbx-policy" -C "$ws" -s workspace-write "$@" -- true
}
granted() {
	with "$2"
	is "granted: $1" "$status$(entry "$2")$err" 0write
}
# not_granted WHAT VALUE PATTERN
not_granted() {
	with "$2"
	is "not granted: $1" "$status$(ask '[.policy.permissions.fs[] | select(.access == "write") | .path]')" "0[\"/tmp\",\"$ws\"]"
	like "and said: $1" "$err" "TMPDIR.*$3"
}

mkdir -m 700 "$scratch/private"
mkdir -m 755 "$scratch/readable"
mkdir "$scratch/sticky" "$scratch/group" "$scratch/open"
chmod 1777 "$scratch/sticky"
chmod 770 "$scratch/group"
chmod 777 "$scratch/open"
: >"$scratch/file"
granted "private" "$scratch/private"
granted "readable by others" "$scratch/readable"
granted "sticky" "$scratch/sticky"
is "its source" "$(ask '.policy.sources.writable_roots[] | select(.root == $p) | .source' --arg p "$scratch/sticky")" \
	"environment TMPDIR"
entry_is "$scratch/sticky/.git" read

not_granted "/" / "whole file system"
not_granted "relative" private "absolute"
not_granted "missing" "$scratch/none" "not a directory"
not_granted "file" "$scratch/file" "not a directory"
not_granted "group-writable" "$scratch/group" "private"
not_granted "world-writable without sticky" "$scratch/open" "private"
not_granted "above the workspace" "$scratch" "contains another"
not_granted "/etc" /etc "."
not_granted "/usr/share" /usr/share "."
ln -s "$outside" "$ws/link"
not_granted "through a link in the workspace" "$ws/link" "link in a writable root"
mkdir "$outside/deeper"
not_granted "behind a link in the workspace" "$ws/link/deeper" "link in a writable root"
not_granted "through /proc" /proc/self/cwd "cannot be resolved"

HOME=$scratch/private/home
mkdir "$HOME"
not_granted "above the home directory" "$scratch/private" "home"
not_granted "the home directory" "$HOME" "home"
HOME=$scratch/nowhere CODEX_HOME=$scratch/private/c not_granted "above the settings" "$scratch/private" "configuration"
mkdir -p "$scratch/r/.git/tmp"
not_granted "in a repository's .git" "$scratch/r/.git/tmp" "\.git"

ln -s readable "$scratch/alias"
with "$scratch/alias"
is "a link elsewhere is resolved" "$(entry "$scratch/readable")$(entry "$scratch/alias")" writeabsent
mkdir "$ws/tmp"
with "$ws/tmp"
is "below a root: a root of its own, with nothing to say" "$status$(entry "$ws/tmp")$err" 0write
with "$scratch/private/.."
is "'..' is resolved before it is judged" "$(entry "$scratch")" absent
with ""
is "empty" "$status$err" 0
with "$scratch/sticky" -c sandbox_workspace_write.exclude_tmpdir_env_var=true
is "excluded" "$(entry "$scratch/sticky")$err" absent
with /tmp -c sandbox_workspace_write.exclude_slash_tmp=true
is "an excluded /tmp does not come back" "$(entry /tmp)" absent
run env TMPDIR="$scratch/sticky" "$SBX/sbx-policy" -C "$ws" -- true
is "read-only: no grant" "$(entry "$scratch/sticky")" absent
if have ROOT; then
	chown 1234 "$scratch/sticky" "$scratch/readable"
	not_granted "sticky of a stranger" "$scratch/sticky" "private"
	not_granted "of a stranger" "$scratch/readable" "private"
fi
finish
