#!/bin/bash
# A nested repository that one run has found is protected in the next, however
# many names the command makes in between to wear the search out.
. "${0%/*}/lib/lib.sh"
need SANDBOX
need PROGRAM git

export HOME=$scratch/home
mkdir "$HOME"
memory=$HOME/.codex/sbx/repositories
git config --global init.defaultBranch main

# thousands of names in front of every other
wear='mkdir -p "$1"; cd "$1" && mkdir -p $(seq -f %g/a/b 250) $(seq -f %g/c 250); seq -f f%g 4000 | xargs touch'
is_open() { # REPOSITORY: from inside
	rm -f "$1/hooks/pre-commit"
	run "$SBX/sbx-run" -s workspace-write -a never -C "${2:-$ws}" -- touch "$1/hooks/pre-commit"
	test -e "$1/hooks/pre-commit"
}
# The places that a walk comes to last.
repos=(z/y/x/deep/.git vendor/one/.git node_modules/pkg/.git "with space/new
line/.git" store.git)
make() {
	rm -rf "$ws" "$HOME/.codex"
	mkdir "$ws"
	for repo in "${repos[@]}"; do
		case $repo in
		*/.git) git init -q "$ws/${repo%/.git}" ;;
		*) git init -q --bare "$ws/$repo" ;;
		esac
	done
}

make
run sh -c "$wear" sh "$ws/0"
run sh -c "$wear" sh "$ws"
some=
for repo in "${repos[@]}"; do
	is_open "$ws/$repo" && some=$repo
done
isnt "control: in front of the first run, the names wear the search out" "$some" ""

make
boxed sh -c "$wear" sh "$ws/0"
boxed sh -c "$wear" sh "$ws"
ok "control: the command has made its names" test -e "$ws/f4000" -a -d "$ws/0/250/c"
for repo in z/y/x/deep/.git vendor/one/.git node_modules/pkg/.git store.git; do
	not_ok "$repo stays closed" is_open "$ws/$repo"
done
like "... and the search that ended early is said" "$err" "\"$ws\": too large now to be searched.*look for directories"
not_ok "... also where the workspace is a part of it" is_open "$ws/z/y/x/deep/.git" "$ws/z"
not_ok "one cannot be replaced, either" sh -c "'$SBX/sbx-run' -s workspace-write -a never -C '$ws' -- sh -c 'mv z old && mkdir -p z/y/x/deep/.git' && test -e '$ws/old'"

# The memory: of the user, out of reach, and believed only where it is right.
is "its modes" "$(stat -c %a "$memory"; stat -c %a "$memory"/* | sort -u)" "700
600"
set_box --add-dir "$HOME"
mkdir -p "$HOME"
denied "from inside it cannot be written" "$memory" -- sh -c "rm -rf '$memory'"
set_box
rm -rf "$ws/vendor/one"
boxed true
is "one that is gone is forgotten" "$(cat "$memory"/* | grep -c '^vendor/one')" 0
mkdir -p "$ws/vendor"
ln -s "$outside" "$ws/vendor/one"
git init -q "$outside"
for text in '' 'junk' "$(head -c 3000 /dev/zero | tr '\0' /)" "sbx-repositories 1
$ws
complete
../../x
/etc
vendor/one/.git
z/../../..
"; do
	for file in "$memory"/*; do printf '%s' "$text" >"$file"; done
	boxed true
	is "a memory that is damaged stops nothing" "$status" 0
done
rm -rf "$ws" "$HOME/.codex"
mkdir "$ws"
git init -q "$ws"
boxed true
ok "a workspace without nested repositories is not written down" absent "$HOME/.codex/sbx"
finish
