#!/bin/bash
# Whose trust a directory has: the nearest entry, its repository's, and of a
# linked worktree its main checkout's; nothing that a repository says of
# itself gains any.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"

at() { run "$SBX/sbx-policy" -C "$1" -- true; }
# trust_is WHAT DIRECTORY LEVEL PATH
trust_is() {
	at "$2"
	is "$1" "$(level)" "$3 $4"
}

trust_is "nobody decided" "$ws" unknown "$ws"
mkdir -p "$ws/a/b"
config "$(trusted "$ws")"
trust_is "the directory itself" "$ws" trusted "$ws"
trust_is "without a repository, not what is below" "$ws/a" unknown "$ws/a"
repository "$ws"
trust_is "with one, the whole repository" "$ws/a/b" trusted "$ws"
is "... with its source" "$(ask .policy.sources.trust)" "$user:2"
config "$(trusted "$ws")" "[projects.\"$ws/a\"]" 'trust_level = "untrusted"'
trust_is "the nearest entry wins" "$ws/a/b" untrusted "$ws/a"
is "... and gives the cautious default" "$(mode)" read-only
trust_is "... only there" "$ws" trusted "$ws"
config "$(trusted "$scratch")"
trust_is "not what is above the repository" "$ws/a" unknown "$ws"
config "$(trusted "$ws/a")"
trust_is "below a trusted directory, inside the repository" "$ws/a/b" trusted "$ws/a"
trust_is "not above it" "$ws" unknown "$ws"
ln -s "$ws" "$scratch/link"
config "$(trusted "$scratch/link")"
trust_is "not a link, which somebody can turn" "$scratch/link" unknown "$ws"
config "$(trusted "$ws/.")"
trust_is "no other spelling" "$ws" unknown "$ws"

# A submodule has a name of its own.
config "$(trusted "$ws")"
mkdir -p "$ws/.git/modules/sub" "$ws/sub"
echo 'gitdir: ../.git/modules/sub' >"$ws/sub/.git"
trust_is "a submodule decides for itself" "$ws/sub" unknown "$ws/sub"

# Linked worktrees: real ones.
main=$scratch/main
git init -q "$main"
git -C "$main" -c user.name=n -c user.email=e commit -q --allow-empty -m 1
git -C "$main" worktree add -q "$scratch/tree" -b other
config "$(trusted "$main")"
trust_is "a linked worktree has its main checkout's trust" "$scratch/tree" trusted "$main"
mkdir "$scratch/tree/sub"
trust_is "... in its subdirectories too" "$scratch/tree/sub" trusted "$main"
config "$(trusted "$main")" "[projects.\"$scratch/tree\"]" 'trust_level = "untrusted"'
trust_is "... unless it has an entry" "$scratch/tree" untrusted "$scratch/tree"

# Forged ones.
config "$(trusted "$main")"
forged() { trust_is "forged: $1" "$2" unknown "$2"; }
evil=$scratch/evil
mkdir "$evil"
echo "gitdir: $main/.git/worktrees/tree" >"$evil/.git"
forged "a copy of a worktree's pointer" "$evil"
echo "gitdir: $main/.git" >"$evil/.git"
forged "a pointer to the main repository" "$evil"
mkdir -p "$evil/fake/worktrees/x"
echo "gitdir: $evil/fake/worktrees/x" >"$evil/.git"
echo "$evil/.git" >"$evil/fake/worktrees/x/gitdir"
echo "$main/.git" >"$evil/fake/worktrees/x/commondir"
forged "a back-pointer of its own and somebody else's commondir" "$evil"
rm -rf "$evil/.git" && ln -s "$main/.git" "$evil/.git"
at "$evil"
is "forged: a link to another .git" "$(level)" "unknown $evil"
rm "$evil/.git" && mkdir "$evil/.git"
mkdir -p "$main/inside/.git"
trust_is ".git without HEAD is no repository: the one above counts" "$main/inside" trusted "$main"
at "$evil"
is "... and gains nothing" "$(level)" "unknown $evil"
{ printf 'gitdir: '; head -c 2000000 /dev/zero | tr '\0' 'a'; } >"$scratch/big"
rm -rf "$evil/.git" && mv "$scratch/big" "$evil/.git"
forged "a pointer file that is too large" "$evil"
printf 'gitdir: %s  \n' "$main/.git/worktrees/tree" >"$scratch/tree/.git"
at "$scratch/tree"
isnt "a pointer that can be read in two ways proves nothing" "$(level)" "trusted $main"
mkdir -p "$scratch/mv"
printf 'gitdir: %s\n' "$main/.git/worktrees/tree" >"$scratch/tree/.git"
mv "$scratch/tree" "$scratch/mv/tree"
forged "a worktree that was moved" "$scratch/mv/tree"

# -c is the user's own word; the project has none.
config ''
run "$SBX/sbx-policy" -C "$ws" -c "projects.\"$ws\".trust_level=\"trusted\"" -- true
is "-c decides" "$(level)" "trusted $ws"
finish
