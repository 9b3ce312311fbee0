#!/bin/bash
# --hide gitignored: what git ignores in the workspace cannot be read, found without
# running git or anything that a repository names.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"
need PROGRAM git
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_SYSTEM=/dev/null
unset XDG_CONFIG_HOME
git -C "$ws" init -q
hidden() { ask -r '.policy.permissions.fs[] | select(.access == "none") | .path' | sort; }
# What git says, without the index and what is below something ignored.
by_git() {
	(cd "$ws" && find . -mindepth 1 -name .git -prune -o ! -type l -printf '%P\0' | git check-ignore --no-index --stdin -z | tr '\0' '\n') |
		awk -v ws="$ws/" '{ all[$0] = 1 } END { for (p in all) { q = p; top = 1; while (sub("/[^/]*$", "", q)) if (q in all) top = 0; if (top) print ws p } }' | sort
}
# agrees DESCRIPTION: with git, on the tree as it is
agrees() {
	policy -s workspace-write --hide gitignored
	is "$1" "$status $(hidden)" "0 $(by_git)"
}

mkdir -p "$ws/a/b/c" "$ws/build/x" "$ws/a/build" "$ws/doc/deep/er" "$ws/nested/.git/info" "$ws/nested/d"
for file in .env a/.env a/b/x.o a/b/c/x.o build/x/y a/build/z doc/frotz doc/deep/frotz doc/deep/er/frotz keep.o 'sp ace' 'trail ' '#hash' '!bang' \
	'br[a]' 'bra' 'back\slash' x1 x2 xA 'star*' a/keep nested/d/out nested/d/in Readme README foo.txt a/foo.txt 'ab]c' 'é' 'a-b'; do
	echo classified >"$ws/$file"
done
printf '%s\n' '# comment' '.env' '*.o' '!keep.o' 'build/' '/foo.txt' 'doc/**/frotz' '\#hash' '\!bang' 'trail\ ' 'x[0-9]' 'br\[a\]' >"$ws/.gitignore"
printf 'keep   \r\n!.env\n' >"$ws/a/.gitignore"
agrees "patterns, negations, directories, comments, escapes, blanks and ends of lines"
like "control: something is hidden" "$(hidden)" "^$ws/\.env$"
unlike "control: and not all" "$(hidden)" 'keep.o$'
printf 'xA\n' >"$ws/.git/info/exclude"
mkdir -p "$HOME/.config/git"
printf 'sp ace\n' >"$HOME/.config/git/ignore"
agrees "info/exclude, and the user's own file"
printf '[core]\n\texcludesFile = ~/global\n' >"$HOME/.gitconfig"
printf 'bra\nab*\n' >"$HOME/real"
ln -s real "$HOME/global"
rm "$HOME/.config/git/ignore"
agrees "core.excludesFile of the user, a link"
rm "$HOME/.gitconfig" "$HOME/global"

# Random patterns, against git's own answer.
# shellcheck disable=SC1003
words=('*' '?' '**' 'a' 'b' 'x' '.o' 'foo' '/' '/' '[a-x]' '[!a]' '[[:digit:]]' '\' '!' 'build' 'doc' 'deep' 'frotz' ' ' '[' ']' '***' '-' '.*' '[]a]' '[a/]')
for ((round = 0; round < $(long 10 1000); round++)); do
	for place in "$ws/.gitignore" "$ws/a/.gitignore" "$ws/.git/info/exclude"; do
		for ((line = 0; line < 4; line++)); do
			for ((word = RANDOM % 4; word >= 0; word--)); do printf '%s' "${words[RANDOM % ${#words[@]}]}"; done
			echo
		done >"$place"
	done
	policy -s workspace-write --hide gitignored
	[ "$status $(hidden)" = "0 $(by_git)" ] || break
done
is "random patterns: the same as git" "$(hidden)" "$(by_git)"
[ "$(hidden)" = "$(by_git)" ] || tail -n 4 "$ws/.gitignore" "$ws/a/.gitignore" "$ws/.git/info/exclude" >&2

# A workspace below the top; a repository inside.
printf '/a/b/x.o\n.env\n' >"$ws/.gitignore"
rm -f "$ws/a/.gitignore" "$ws/.git/info/exclude"
run "$SBX/sbx-policy" -C "$ws/a" -s workspace-write --hide gitignored -- true
is "from a subdirectory, the patterns above count" "$(hidden)" "$ws/a/.env
$ws/a/b/x.o"
printf 'out\n!.env\n!*\n' >"$ws/nested/.git/info/exclude"
cp "$ws/.env" "$ws/nested/.env"
policy -s workspace-write --hide gitignored
is "a repository inside hides more, and opens nothing" "$(hidden | grep nested)" "$ws/nested/.env
$ws/nested/d/out"
printf 'build/\n' >"$ws/.gitignore"
policy -s workspace-write --add-dir "$ws/build" --hide gitignored
is "what is named stays open" "$(hidden | grep build)" "$ws/a/build"
run "$SBX/sbx-policy" -C "$ws/build" -s workspace-write --hide gitignored -- true
is "a workspace that is ignored itself is an error" "$status" 3

# Nothing is run, and nothing is left out silently.
printf '.env\n' >"$ws/.gitignore"
printf '#!/bin/sh\ntouch %s/ran\n' "$scratch" >"$ws/evil"
chmod 755 "$ws/evil"
git -C "$ws" config core.fsmonitor "$ws/evil"
git -C "$ws" config core.hooksPath "$ws"
git -C "$ws" config filter.x.clean "$ws/evil"
policy -s workspace-write --hide gitignored
absent "$scratch/ran"
is "no program of the repository runs" "$? $status $(hidden | head -n 1)" "0 0 $ws/.env"
refuses() {
	policy -s workspace-write --hide gitignored
	is "an error: $1" "$status $(jq -r .error.code <<<"$out")" "3 $2"
}
git -C "$ws" config core.excludesFile "$HOME/real"
refuses "core.excludesFile of the repository" ignored-unknown
git -C "$ws" config --unset core.excludesFile
mv "$ws/.gitignore" "$ws/other"
ln -s other "$ws/.gitignore"
refuses "a link" ignored-unknown
rm "$ws/.gitignore"
mkfifo "$ws/.gitignore"
refuses "a fifo" ignored-unknown
rm "$ws/.gitignore"
printf '.env\0\n*.o\n' >"$ws/.gitignore"
refuses "a NUL" ignored-unknown
head -c 2000000 /dev/zero | tr '\0' 'x' >"$ws/.gitignore"
refuses "too large" ignored-unknown
printf '*.many\n' >"$ws/.gitignore"
mkdir "$ws/many"
(cd "$ws/many" && seq -f %g.many 8300 | xargs touch)
refuses "too many" ignored-bound
rm -rf "$ws/many"
seq 300000 >"$ws/.gitignore.new" && head -c 1000000 "$ws/.gitignore.new" >"$ws/.gitignore"
mkdir "$ws/some"
(cd "$ws/some" && seq -f f%g 300 | xargs touch)
refuses "too many patterns for so many files" ignored-bound
rm -rf "$ws/some" "$ws/.gitignore.new"
printf '.env\n' >"$ws/.gitignore"
config "[projects.\"$ws\"]" 'trust_level = "trusted"' 'sbx_hide = "gitignored"'
policy
is "chosen with the trust" "$status $(hidden | head -n 1)" "0 $ws/.env"
run "$SBX/sbx-policy" -C "$ws" --explain
like "explained" "$out" '\.env.*none|none.*\.env'

if have USERNS; then
	set_box --hide gitignored
	boxed cat "$ws/.env" "$ws/a/.env"
	unlike "hidden in a run" "$out" classified
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -c "projects.\"$ws\".sbx_hide=\"secrets\"" -- cat "$ws/keep.o"
	like "control: the rest is read" "$out" classified
	# The next run reads what this one leaves.
	boxed sh -c 'echo >.gitignore; rm -f .gitignore; printf "!.env\n" >a/.gitignore; mv a z; mkdir a; true'
	boxed cat "$ws/.env" "$ws/a/.env" "$ws/z/.env"
	unlike "a command does not change what is ignored for the next" "$out$(cat "$ws/a/.gitignore" 2>/dev/null)" 'classified|!'
	is "and leaves nothing behind" "$(cat "$ws/.gitignore") $(find "$ws" -name .gitignore | wc -l)" ".env 1"
fi
finish
