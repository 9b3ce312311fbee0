#!/bin/bash
# The protected names are protected below every writable root, not only the
# workspace: an added directory, $TMPDIR and /tmp.
. "${0%/*}/lib.sh"
in_tmp

added=$scratch/added
mkdir -p "$added/.git/hooks" "$tmp/t"
chmod 700 "$tmp/t"
export TMPDIR=$tmp/t
set_box --add-dir "$added"

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

# /tmp itself is a writable root; nothing may be there from another test.
for name in .git .codex .agents; do
	if exists "/tmp/$name"; then
		skip "/tmp/$name" "something is there already"
		continue
	fi
	boxed "$TRY" mkdir "/tmp/$name"
	ok "/tmp/$name is not made" absent "/tmp/$name"
	rmdir "/tmp/$name" 2>/dev/null
done
finish
