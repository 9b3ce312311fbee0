#!/bin/bash
# Nobody lends himself the trust of another directory: neither by a link that
# is turned, nor by the directory of a worktree that is gone.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"

at() { run "$SBX/sbx-policy" -C "$1" -- true; }
wide='sandbox_mode = "danger-full-access"'

# A link that has an entry, and is then turned.
good=$scratch/good evil=$scratch/evil link=$scratch/link
mkdir -p "$good" "$evil/.codex"
echo "$wide" >"$evil/.codex/config.toml"
config "$(trusted "$link")" "$(trusted "$good")"
ln -s good "$link"
at "$link"
is "control: the directory behind the link is trusted by its own name" "$(level)" "trusted $good"
ln -sfn evil "$link"
at "$link"
is "a link that was turned brings nothing" "$(level) $(mode)" "unknown $evil read-only"
for spelling in "$good/../evil" "$good/./../link" "$link/" "$link/."; do
	at "$spelling"
	is "... however it is written: ${spelling#"$scratch/"}" "$(level) $(mode)" "unknown $evil read-only"
done
for entry in "$evil/" "$good/../evil" "$evil/." "$link/../evil"; do
	config "$(trusted "$entry")"
	at "$evil"
	is "an entry counts by its canonical path alone: ${entry#"$scratch/"}" "$(level)" "unknown $evil"
done

# A linked worktree borrows the level, and nothing that anybody says.
main=$scratch/main tree=$scratch/trees/tree
mkdir "$scratch/trees"
git init -q "$main"
git -C "$main" -c user.name=n -c user.email=e commit -q --allow-empty -m 1
git -C "$main" worktree add -q "$tree" -b other
mkdir "$main/.codex" "$tree/.codex"
echo "$wide" >"$main/.codex/config.toml"
echo "$wide" >"$tree/.codex/config.toml"
config "$(trusted "$main")"
look "$main"
at "$main"
is "control: the main checkout has its file" "$(mode)" danger-full-access
at "$tree"
is "a worktree has the default of a trusted project" "$(level) $(mode)" "trusted $main workspace-write"
is "... and says what it left out, once for each file" "$(grep -c 'sbx-policy --trust .*trees/tree' "$scratch/.err")" 2
echo 'sandbox_mode = "read-only"' >"$main/.codex/config.toml"
at "$tree"
is "... what narrows counts" "$(mode)" read-only
echo "$wide" >"$main/.codex/config.toml"
look "$tree"
at "$tree"
is "control: trusted itself, it has its own file" "$(level) $(mode)" "trusted $tree danger-full-access"
config "$(trusted "$main")"

# Removed, with the entry left behind; a command makes the directory again.
remake() {
	mkdir -p "$tree/.codex" && echo "gitdir: $main/.git/worktrees/tree" >"$tree/.git" &&
		echo "$wide" >"$tree/.codex/config.toml"
}
rm -rf "$tree"
set_box --add-dir "$scratch/trees"
boxed bash -c "main=$main tree=$tree wide='$wide'; $(declare -f remake); remake"
is "control: the command made it" "$status $(cat "$tree/.git")" "0 gitdir: $main/.git/worktrees/tree"
at "$tree"
is "a worktree that was made again borrows nothing" "$(level) $(mode)" "unknown $tree read-only"
# Times that can be set are no proof.
touch -d '2001-01-01' "$tree/.git" "$tree"
at "$tree"
is "... not with an old time, either" "$(level)" "unknown $tree"
git -C "$tree" status >/dev/null 2>&1
at "$tree"
is "... not when git has looked at it" "$(level)" "unknown $tree"
rm -rf "$tree" && git -C "$main" worktree prune
git -C "$main" worktree add -q "$tree" other
at "$tree"
is "control: made by git, it borrows again" "$(level)" "trusted $main"
mv "$tree/.git" "$scratch/pointer" && mv "$scratch/pointer" "$tree/.git" && chmod 600 "$tree/.git"
at "$tree"
is "a pointer that changed since is not believed" "$(level)" "unknown $tree"
finish
