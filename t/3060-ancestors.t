#!/bin/bash
# Directories above a protected path cannot be renamed or replaced, also where
# they lie in another writable root.
. "${0%/*}/lib/lib.sh"
in_tmp

# The workspace lies two levels below a directory that is writable itself.
x=$tmp/x
ws=$x/y/ws
set_box --add-dir "$tmp"
mkdir -p "$ws/.git/hooks" "$tmp/.git" "$tmp/.agents" "$tmp/.codex"
echo good >"$ws/.git/config"

allowed "control: it is writable beside the workspace" "$tmp/new" -- "$TRY" mkdir "$tmp/new"
denied "rename the workspace" "$tmp" -- sh -c "cd /; mv '$ws' '$ws.away' && mkdir -p '$ws/.git/hooks'"
denied "rename the parent" "$tmp" -- sh -c "cd /; mv '$x/y' '$x/away' && mkdir -p '$ws/.git/hooks'"
denied "rename the grandparent" "$tmp" -- sh -c "cd /; mv '$x' '$tmp/away' && mkdir -p '$ws/.git/hooks'"
denied "exchange the grandparent" "$tmp" -- sh -c "cd /; mkdir -p '$tmp/p/y/ws/.git/hooks'; '$TRY' exchange '$tmp/p' '$x'; s=\$?; rm -rf '$tmp/p'; exit \$s"
denied "replace the grandparent by a link" "$tmp" -- sh -c "cd /; mv '$x' '$tmp/away' && ln -s '$tmp/away' '$x'"
before=$(state "$ws/.git")
boxed rm -rf "$tmp/x"
is "remove everything" "$(state "$ws/.git")" "$before"

# The same for the top directory, which lies directly in /tmp: inside in a private one.
boxed sh -c "cd /; mv '$tmp' '$tmp.away'"
ok "rename the directory in /tmp" test -e "$ws/.git/config"
[ ! -e "$tmp.away" ] || mv "$tmp.away" "$tmp"

# A missing protected name, by way of its ancestors.
rm -rf "$ws/.git"
denied "missing .git, rename the grandparent" "$tmp" -- \
	sh -c "cd /; mv '$x' '$tmp/away' && mkdir -p '$ws/.git/hooks'"
denied "missing .git, rename the workspace away and back" "$tmp" -- \
	sh -c "cd /; '$TRY' rename '$ws' '$x/away' && mkdir '$x/away/.git' && '$TRY' rename '$x/away' '$ws'"

# The gitdir of a worktree lies there as well, in another place.
gitdir=$tmp/elsewhere/repo/dir
mkdir -p "$gitdir/hooks"
echo "gitdir: $gitdir" >"$ws/.git"
printf 'ref: refs/heads/main\n' >"$gitdir/HEAD"
mkdir "$gitdir/objects" "$gitdir/refs"
denied "gitdir elsewhere: a hook" "$gitdir" -- "$TRY" open "$gitdir/hooks/x"
denied "gitdir elsewhere: rename its parent" "$tmp/elsewhere" -- \
	sh -c "mv '$tmp/elsewhere/repo' '$tmp/elsewhere/away' && mkdir -p '$gitdir/hooks'"
denied "gitdir elsewhere: rename its grandparent" "$tmp/elsewhere" -- \
	sh -c "mv '$tmp/elsewhere' '$tmp/gone' && mkdir -p '$gitdir/hooks'; rm -rf '$tmp/gone'"
finish
