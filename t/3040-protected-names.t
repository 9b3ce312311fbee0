#!/bin/bash
# .git, .agents and .codex directly below a writable root are read-only,
# whether or not they exist, by every call that could make or change them.
. "${0%/*}/lib/lib.sh"
slow

mkdir -p "$ws/prepared/hooks"
echo evil >"$ws/prepared/config"
echo evil >"$ws/file"

for name in .git .agents .codex; do
	p=$ws/$name
	# Missing, and to stay so.
	denied "$name missing: open" "$p" -- "$TRY" open "$p"
	denied "$name missing: mkdir" "$p" -- "$TRY" mkdir "$p"
	denied "$name missing: mkdir -p below it" "$p" -- mkdir -p "$p/hooks"
	denied "$name missing: rename a directory to it" "$p" -- sh -c "cp -r prepared p2 && mv -T p2 $name; s=\$?; rm -rf p2; exit \$s"
	denied "$name missing: rename a file to it" "$p" -- sh -c "cp file f2 && mv -T f2 $name; rm -rf f2"
	denied "$name missing: link" "$p" -- "$TRY" link "$ws/file" "$p"
	denied "$name missing: symlink to inside" "$p" -- "$TRY" symlink prepared "$p"
	denied "$name missing: symlink to outside" "$p" -- "$TRY" symlink "$outside" "$p"
	denied "$name missing: O_TMPFILE and linkat" "$p" -- "$TRY" tmpfile "$ws" "$p"
	denied "$name missing: fifo" "$p" -- "$TRY" mknod fifo "$p"
	denied "$name missing: trailing slash" "$p" -- mkdir "$p/"
	denied "$name missing: by way of .." "$p" -- mkdir "$ws/prepared/../$name"
	denied "$name missing: by way of /proc/self/cwd" "$p" -- mkdir "/proc/self/cwd/$name"
	denied "$name missing: by way of /proc/self/root" "$p" -- mkdir "/proc/self/root$p"
	denied "$name missing: after tidying away what stands for it" "$p" -- sh -c 'rmdir "$0" 2>/dev/null; mkdir "$0"' "$p"
	if have OBSERVER; then
		boxed sh -c '{ [ ! -e "$0" ] || rmdir "$0"; } && rm -rf "$0"' "$p"
		is "$name missing: a command that tidies it away goes on" "$status" 0
		boxed rmdir "$p-no"
		isnt "control: another name that is missing" "$status" 0
	fi

	# An empty directory, which is what a stub looks like.
	mkdir "$p"
	denied "$name empty: create below" "$p" -- "$TRY" open "$p/config"
	denied "$name empty: rmdir" "$p" -- "$TRY" rmdir "$p"
	boxed true
	ok "$name empty: it is still there after a run" test -d "$p"

	# A full one.
	mkdir "$p/hooks"
	echo good >"$p/config"
	denied "$name: create" "$p" -- "$TRY" open "$p/hooks/pre-commit"
	denied "$name: overwrite" "$p" -- "$TRY" open "$p/config"
	denied "$name: append" "$p" -- "$TRY" append "$p/config"
	denied "$name: truncate" "$p" -- "$TRY" truncate "$p/config"
	denied "$name: mmap" "$p" -- "$TRY" mmap "$p/config"
	denied "$name: mkdir" "$p" -- "$TRY" mkdir "$p/hooks/new"
	denied "$name: unlink" "$p" -- "$TRY" unlink "$p/config"
	denied "$name: rename within" "$p" -- "$TRY" rename "$p/config" "$p/config2"
	denied "$name: rename into" "$p" -- sh -c "cp file f2; mv f2 $name/config; rm -f f2"
	denied "$name: rename out" "$p" -- sh -c "mv $name/config got; rm -f got"
	denied "$name: rename it away" "$p" -- sh -c "mv -T $name away; rm -rf away"
	denied "$name: exchange it" "$p" -- sh -c "cp -r prepared p2; '$TRY' exchange p2 $name; s=\$?; rm -rf p2; exit \$s"
	denied "$name: exchange a file in it" "$p" -- sh -c "cp file f2; '$TRY' exchange f2 $name/config; rm -f f2"
	denied "$name: link into" "$p" -- "$TRY" link "$ws/file" "$p/hooks/x"
	denied "$name: link out and write" "$p" -- sh -c "ln $name/config got; echo evil >>got; rm -f got"
	denied "$name: symlink into" "$p" -- "$TRY" symlink /bin/true "$p/hooks/x"
	denied "$name: O_TMPFILE into" "$p" -- "$TRY" tmpfile "$ws" "$p/hooks/x"
	denied "$name: chmod" "$p" -- "$TRY" chmod 777 "$p/config"
	denied "$name: chmod of itself" "$p" -- "$TRY" chmod 777 "$p"
	denied "$name: times" "$p" -- "$TRY" utimes "$p/config"
	denied "$name: remove all" "$p" -- rm -rf "$p"
	denied "$name: by way of a symlink" "$p" -- sh -c "ln -sfn $name l; echo evil >l/config; rm -f l"
	rm -rf "$p"
done

allowed "control: another dot name" "$ws/.gitignore" -- "$TRY" open "$ws/.gitignore"
allowed "control: another dot directory" "$ws/.github" -- "$TRY" mkdir "$ws/.github"
allowed "control: rename a directory" "$ws/.gitx" -- sh -c 'cp -r prepared p2 && mv -T p2 .gitx'
is "nothing was left in the workspace" "$(cd "$ws" && find . -mindepth 1 -maxdepth 1 | sort | tr '\n' ' ')" \
	"./file ./prepared "
finish
