#!/bin/bash
# --trust and --untrust edit the user's file in place: comments and order stay,
# and the file is replaced as a whole or not at all.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"

trust() { run "$SBX/sbx-policy" --trust "$@"; }
untrust() { run "$SBX/sbx-policy" --untrust "$@"; }
# file_is WHAT LINE...
file_is() {
	local what=$1
	shift
	is "$what" "$(cat "$user")" "$(printf '%s\n' "$@")"
}
only_file() { is "$1: nothing else is left" "$(ls -A "$HOME/.codex")" config.toml; }

rm -rf "$HOME/.codex"
trust "$ws"
is "a missing file is made" "$status $out$err" "0 $ws: trusted"
file_is "... with the entry alone" "[projects.\"$ws\"]" 'trust_level = "trusted"'
is "... private" "$(stat -c %a "$user" "$HOME/.codex" | tr '\n' ' ')" "600 700 "
only_file "made"
policy
is "and it counts" "$(level)" "trusted $ws"
trust "$ws"
file_is "twice is once" "[projects.\"$ws\"]" 'trust_level = "trusted"'
untrust "$ws"
file_is "untrust" "[projects.\"$ws\"]" 'trust_level = "untrusted"'

config '# mine' 'sandbox_mode   =  "read-only" # here' '' '[projects]' '# others' '[projects."/other"]' "trust_level='trusted' # note" '' '[features]' 'a = true'
chmod 640 "$user"
before=$(cat "$user")
trust "$ws"
is "comments, blanks and order stay" "$(head -n 10 "$user")" "$before"
is "... the entry is at the end" "$(tail -n 3 "$user")" "$(printf '\n[projects."%s"]\ntrust_level = "trusted"' "$ws")"
is "... the mode stays" "$(stat -c %a "$user")" 640
before=$(cat "$user")
untrust "$ws"
is "only the word changes" "$(cat "$user")" "${before%\"trusted\"}\"untrusted\""
mkdir "$scratch/other"
config "projects.\"$scratch/other\".trust_level = 'untrusted'   # dotted"
trust "$scratch/other"
file_is "a dotted key" "projects.\"$scratch/other\".trust_level = \"trusted\"   # dotted"
config "projects = { \"$scratch/other\" = { trust_level = \"untrusted\" }, \"/x\" = { trust_level = \"trusted\" } }"
trust "$scratch/other"
file_is "an inline table" "projects = { \"$scratch/other\" = { trust_level = \"trusted\" }, \"/x\" = { trust_level = \"trusted\" } }"
config 'projects = { "/x" = { trust_level = "trusted" } }'
before=$(cat "$user")
trust "$ws"
like "a form that cannot be added to" "$status $err" '^3 .*by hand'
is "... is left alone" "$(cat "$user")" "$before"
config "[projects.\"$ws\"] # empty" '[features]' 'a = true'
trust "$ws"
file_is "a table without the key" "[projects.\"$ws\"] # empty" 'trust_level = "trusted"' '[features]' 'a = true'
printf 'a = 1' >"$user"
trust "$ws"
file_is "no newline at the end" 'a = 1' '' "[projects.\"$ws\"]" 'trust_level = "trusted"'
printf 'a = 1\r\n' >"$user"
trust "$ws"
is "CRLF stays CRLF" "$(tr -d '\n' <"$user" | tr '\r' '|')" "a = 1||[projects.\"$ws\"]|trust_level = \"trusted\"|"
config 'this is not toml'
trust "$ws"
like "a broken file is not edited" "$status $err" "^3 .*$user:1:"
file_is "... is left alone" 'this is not toml'
rm "$user"

odd=$scratch/$'q"uo\\te\tand \u00fc'
mkdir "$odd"
trust "$odd"
is "odd names: exit" "$status" 0
run "$SBX/sbx-policy" -C "$odd" -- true
is "... and they are found again" "$(ask .policy.trust.level)" trusted
mkdir "$scratch/"$'\xff'
trust "$scratch/"$'\xff'
is "a name that TOML cannot hold is refused" "$status" 3
rm "$user"

# What is trusted: the repository.
repository "$ws"
mkdir -p "$ws/a/b"
trust "$ws/a/b"
is "inside a repository, the repository" "$out" "$ws: trusted"
cd "$ws/a" && run "$SBX/sbx-policy" --untrust && cd / || exit 1
is "without a directory, here" "$out" "$ws: untrusted"
trust "$scratch/none"
is "no such directory" "$status" 3
trust /
like "the whole file system is no project" "$status $err" '^3 .*not a project'
run env CODEX_HOME="$ws/c" "$SBX/sbx-policy" --trust "$ws"
like "no settings in the project" "$status $err" '^3 .*CODEX_HOME'
ok "... made" absent "$ws/c"
trust "$ws" "$outside"
is "one at a time" "$status" 2
run "$SBX/sbx-policy" --trust --explain
is "one question at a time" "$status" 2

# Links.
rm "$user"
mkdir "$scratch/dotfiles"
echo '# kept' >"$scratch/dotfiles/c.toml"
ln -s "$scratch/dotfiles/c.toml" "$user"
trust "$ws"
ok "a link stays a link" test -L "$user"
is "... and what it leads to is edited" "$(head -n 1 "$scratch/dotfiles/c.toml") $(grep -c trusted "$scratch/dotfiles/c.toml")" "# kept 1"
is "... without leftovers" "$(ls -A "$scratch/dotfiles")" c.toml
if have ROOT; then
	chown 12345 "$scratch/dotfiles"
	untrust "$ws"
	isnt "a link to a stranger's directory is refused" "$status" 0
	chown 0 "$scratch/dotfiles" && chown 12345 "$scratch/dotfiles/c.toml"
	untrust "$ws"
	isnt "a stranger's file is refused" "$status" 0
	ok "... and unchanged" grep -q '"trusted"' "$scratch/dotfiles/c.toml"
fi
rm "$user"

# At the same time.
for i in {1..40}; do
	mkdir "$scratch/p$i"
	"$SBX/sbx-policy" --trust "$scratch/p$i" >/dev/null 2>>"$scratch/errors" &
done
wait
is "40 at the same time: none is lost" "$(grep -c '^trust_level' "$user") $(cat "$scratch/errors")" "40 "
only_file "40"
# What a SIGKILL left is no obstacle.
echo junk >"$HOME/.codex/.config.toml.new"
trust "$ws"
is "a leftover is removed" "$status" 0
only_file "after a leftover"
if have USER; then
	chmod 500 "$HOME/.codex"
	before=$(cat "$user")
	untrust "$ws"
	isnt "a directory that cannot be written" "$status" 0
	is "... leaves the file as it was" "$(cat "$user")" "$before"
	chmod 700 "$HOME/.codex"
fi
finish
