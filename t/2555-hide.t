#!/bin/bash
# --hide: paths, patterns and secrets cannot be read, whatever the mode shows.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"

mkdir -p "$HOME/.ssh" "$HOME/.aws" "$HOME/.config/gh" "$ws/sub"
for file in "$HOME/.ssh/id" "$HOME/.aws/credentials" "$HOME/.config/gh/hosts.yml" "$HOME/.bash_history" "$HOME/.netrc" "$HOME/.pgpass" "$HOME/.viminfo" \
	"$ws/.env" "$ws/sub/.env.local" "$ws/key.pem" "$outside/x" "$HOME/notes"; do
	echo classified >"$file"
done
for mode in read-only workspace-write; do
	policy -s $mode --hide secrets
	for path in "$HOME/.ssh" "$HOME/.aws" "$HOME/.config/gh" "$HOME/.bash_history" "$HOME/.netrc" "$HOME/.pgpass" "$HOME/.viminfo" "$ws/.env" "$ws/sub/.env.local" "$ws/key.pem"; do
		is "$mode: ${path#"$scratch/"} is hidden" "$(entry "$path")" none
	done
	is "$mode: control: the rest is not" "$(entry "$HOME/notes") $(entry "$HOME/.gnupg")" "absent absent"
done
ln "$ws/.env" "$ws/second"
policy -s workspace-write --hide secrets
like "another name of a hidden file is said" "$err" '/ws/\.env": hidden, but the file has another name'
rm "$ws/second"
policy -s workspace-write --hide secrets
is "control: without one nothing is said" "$err" ""
tilde='~'
policy -s workspace-write --hide "$outside/x" --hide sub --hide "$tilde/notes" --hide './*.pem'
is "paths and patterns" "$(entry "$outside/x") $(entry "$ws/sub") $(entry "$HOME/notes") $(entry "$ws/key.pem")" "none none none none"
is "the source" "$(ask '.policy.permissions.fs | map(select(.access == "none")) | length')" 4
config '[permissions.x]' 'extends = ":workspace"'
policy -P x --hide "$outside/x"
is "of a set too" "$(entry "$outside/x")" none
policy -s danger-full-access --hide secrets
is "not where nothing would hide it" "$status" 2
if have USERNS; then
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- cat "$HOME/.ssh/id" "$ws/.env"
	like "control: it is read" "$out" classified
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --hide secrets -- cat "$HOME/.ssh/id" "$ws/.env" "$ws/sub/.env.local"
	unlike "hidden, it is not" "$out" classified
fi
finish
