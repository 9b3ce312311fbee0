#!/bin/bash
# The protected names are protected below every writable root, not only the
# workspace: an added directory, $TMPDIR and the host's /tmp.
. "${0%/*}/lib/lib.sh"
in_tmp

added=$scratch/added
mkdir -p "$added/.git/hooks" "$tmp/t"
chmod 700 "$tmp/t"
export TMPDIR=$tmp/t
set_box --tmp shared --add-dir "$added"

allowed "control: the added directory is writable" "$added/x" -- "$TRY" open "$added/x"
allowed "control: \$TMPDIR is writable" "$TMPDIR/x" -- "$TRY" open "$TMPDIR/x"
for root in "$added" "$TMPDIR"; do
	for name in .codex .agents; do
		denied "$name below ${root##*/}: mkdir" "$root/$name" -- "$TRY" mkdir "$root/$name"
		denied "$name below ${root##*/}: symlink" "$root/$name" -- "$TRY" symlink "$ws" "$root/$name"
	done
done
denied "hooks of the added directory" "$added/.git" -- "$TRY" open "$added/.git/hooks/x"
denied ".git below \$TMPDIR" "$TMPDIR/.git" -- mkdir -p "$TMPDIR/.git/hooks"

# The host's /tmp itself is a writable root.  Other runs share it, so what is there proves
# nothing, and must not be removed: the call itself says what it got.
for name in .git .codex .agents; do
	boxed "$TRY" mkdir "/tmp/$name/made"
	like "nothing is made in /tmp/$name" "$out" '^mkdir E'
	boxed "$TRY" mkdir "/tmp/$name"
	like "/tmp/$name is not made" "$out" '^mkdir E'
done
finish
