#!/bin/bash
# The settings of other version controls cannot be written from inside where
# there is a repository, and are disarmed where the command made one.
. "${0%/*}/lib/lib.sh"
need SANDBOX

export HOME=$scratch/home
mkdir "$HOME"

files=(.hg/hgrc .hg/hgrc-not-shared .hg/sharedpath .hg/requires .sl/config .jj/repo/config.toml .jj/workspace-config.toml
	.bzr/branch/branch.conf _darcs/prefs/defaults .pijul/config .repo/repo/main.py)
make() {
	rm -rf "$ws"
	for at in "$ws" "$ws/a/nested"; do
		mkdir -p "$at"/{.hg/store,.sl/store,.jj/repo,.bzr/branch,_darcs/prefs,.pijul/pristine,.repo/repo}
	done
}

make
for at in "$ws" "$ws/a/nested"; do
	for file in "${files[@]}"; do
		denied "${at#"$scratch/"}: $file, which is missing" "$at/$file" -- sh -c "echo x >'$at/$file'"
	done
	allowed "control: ${at#"$scratch/"}: the rest of a repository" "$at/.hg/dirstate" -- "$TRY" open "$at/.hg/dirstate"
done
is "nothing is left behind" "$(cd "$ws" && find . -type f; find . -perm 1555 -o -perm 1444)" ""
for file in "${files[@]}"; do
	echo mine >"$ws/$file"
done
for file in "${files[@]}"; do
	denied "$file" "$ws/$file" -- sh -c "echo x >>'$ws/$file'"
	denied "$file, by rename" "$ws/$file" -- sh -c "echo x >n; mv -f n '$ws/$file'; rm -f n"
done
denied "the directory is moved" "$ws/.hg" -- sh -c 'mv .hg old && mkdir .hg && echo x >.hg/hgrc; rm -rf old'
rm -rf "$ws/.jj/repo"
echo /elsewhere >"$ws/.jj/repo"
denied "a file that names the repository" "$ws/.jj/repo" -- sh -c 'echo /x >.jj/repo'
box=("$SBX/sbx-run" -s workspace-write -a never -C "$ws" --add-dir "$ws/.hg/hgrc.d" --)
mkdir "$ws/.hg/hgrc.d"
allowed "control: who names a place has it" "$ws/.hg/hgrc.d/x" -- "$TRY" open "$ws/.hg/hgrc.d/x"
set_box

# None is made where there is none, and one that the command makes is disarmed.
rm -rf "$ws"
mkdir "$ws"
boxed true
is "a run makes none" "$status$err$(ls -A "$ws")" "0"
unboxed sh -c 'mkdir .hg; echo "[hooks]" >.hg/hgrc'
ok "control: the command can make one" test -e "$ws/.hg/hgrc"
rm -rf "$ws/.hg"
boxed sh -c 'mkdir .hg; echo "[hooks]" >.hg/hgrc; mkdir -p _darcs/prefs; echo x >_darcs/prefs/defaults; ln -s /etc .bzr'
is "the command itself succeeds" "$status" 0
like "... what it made is named" "$err" "\"$ws/.hg/hgrc\": the command made this repository.*was renamed to hgrc\.sbx-[0-9a-f]{8}"
ok "... and has no effect" absent "$ws/.hg/hgrc"
is "... nothing is lost" "$(cat "$ws"/.hg/hgrc.sbx-*)" "[hooks]"
ok "... the same for another" absent "$ws/_darcs/prefs/defaults"
rm -rf "$ws"/{.hg,_darcs,.bzr}
boxed sh -c 'mkdir -p .hg/store _darcs/prefs; echo store >.hg/requires; echo core >_darcs/prefs/boring; echo "[hooks]" >.hg/sharedpath'
is "what only says how such a repository is read stays" "$(cat "$ws/.hg/requires" "$ws/_darcs/prefs/boring")" "$(printf 'store\ncore')"
ok "... and what lends it the settings of another does not" absent "$ws/.hg/sharedpath"
rm -rf "$ws"/{.hg,_darcs}
mkdir "$ws/.hg"
boxed sh -c 'echo x >.hg/branch; echo x >.hg/hgrc'
is "in one that was there nothing is renamed" "$(ls "$ws/.hg")" branch
finish
