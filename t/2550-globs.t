#!/bin/bash
# Deny globs: what they match, their bounds, and that a match really is hidden.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"

cd "$ws" || exit 1
mkdir -p a/b/c .hidden d
touch .env a/.env a/b/.env a/b/c/.env .hidden/.env a/key.pem a/key.pem.txt 'a/[x' a/x a/y 'd/**'
echo secret | tee .env a/.env a/b/.env >/dev/null

# denied PATTERN: the paths that become none, below the workspace
matches() {
	config '[permissions.x.filesystem]' "${depth-}" '":root" = "read"' '":workspace_roots" = { "." = "write", '"'$1'"' = "none" }'
	policy -P x
	ask '[.policy.permissions.fs[] | select(.access == "none") | .path | ltrimstr($w)] | join(" ")' --arg w "$ws/"
}
is "**/name" "$(matches '**/.env')" ".env .hidden/.env a/.env a/b/.env a/b/c/.env"
is "*/name" "$(matches '*/.env')" ".hidden/.env a/.env"
is "a star does not cross a slash" "$(matches '*.pem')" ""
is "a/*.pem: whole names" "$(matches 'a/*.pem')" "a/key.pem"
is "?" "$(matches 'a/?')" "a/b a/x a/y"
is "a class" "$(matches 'a/[xz]')" "a/x"
is "not a class" "$(matches 'a/[!xb]')" "a/y"
is "a range" "$(matches 'a/[a-c]')" "a/b"
is "an open bracket is itself" "$(matches 'a/[x')" "a/[x"
is "a match hides what is below it" "$(matches '**/b')" "a/b"
is "two double stars" "$(matches '**/b/**/.env')" "a/b/.env a/b/c/.env"
depth='glob_scan_max_depth = 2'
is "a depth" "$(matches '**/.env')" ".env .hidden/.env a/.env"
depth=
matches '**/.env' >/dev/null
is "the patterns are passed on" "$(ask .policy.permissions.deny_globs)" "[\"$ws/**/.env\"]"
run "$SBX/sbx-policy" -C "$ws" -P x --check-path read a/.env a/x later/.env
is "--check-path knows what is made later, too" "$(jq -sc '[.[].allowed]' "$scratch/.out")" '[false,true,false]'

ln -s "$outside/target" link.env
echo t >"$outside/target"
is "a link that matches: its target is hidden, and the link stays" \
	"$(matches '*.env' >/dev/null; ask '[.policy.permissions.fs[] | select(.path == $a or .path == $b) | .access]' --arg a "$outside/target" --arg b "$ws/link.env")" '["none","read"]'
ln -s "$ws" "$scratch/alias"
config '[permissions.x.filesystem]' '":root" = "read"' "\"$scratch/alias/*.env\" = \"none\""
policy -P x
is "a prefix that is a link is resolved" "$(entry "$ws/.env")" none

# Bounds: an error, never a shorter list.
bound() {
	matches "$1" >/dev/null 2>&1
	is "refused: $1" "$status $(ask .policy)" "3 null"
	like "... said: $1" "$err" "$2"
}
mkdir many && (cd many && seq 9000 | xargs touch)
bound 'many/*' 'more than 8192 matches'
rm -r many && mkdir many && (cd many && seq 8192 | xargs touch)
matches 'many/*' >/dev/null
is "control: 8192 are fine" "$status $(ask '[.policy.permissions.fs[] | select(.access == "none")] | length')" "0 8192"
rm -r many
config '[permissions.x.filesystem]' '":root" = "read"' '"/**/id_rsa" = "none"'
policy -P x
is "the whole file system" "$status" 3
if have USER; then
	mkdir closed && chmod 000 closed
	matches '**/.env' >/dev/null 2>&1
	is "a directory of our own that cannot be searched" "$status" 5
	chmod 755 closed
fi

if have USERNS; then
	matches '**/.env' >/dev/null
	box=("$SBX/sbx-run" -P x -a never -C "$ws" --)
	boxed cat .env a/.env a/b/.env
	is "hidden for real" "$out" ""
	unboxed cat .env a/.env a/b/.env
	is "control: readable without" "$(echo "$out" | sort -u)" secret
	boxed sh -c 'echo x >a/.env; echo x >>a/b/.env; mv a/x a/.env; rm -f .env; echo done'
	is "nor can they be replaced" "$out $(cat .env a/.env a/b/.env | sort -u)" "done secret"
fi
finish
