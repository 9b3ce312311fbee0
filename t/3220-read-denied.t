#!/bin/bash
# A path with access "none" can be neither read nor written, and a path given
# back below it works.
. "${0%/*}/lib/lib.sh"

secret=$outside/secret
mkdir -p "$secret/deep/open" "$ws/private"
echo classified >"$secret/file"
echo classified >"$secret/deep/open/file"
echo classified >"$outside/one"
echo classified >"$ws/private/file"

# with_policy FILTER COMMAND...: the permissions changed between the stages
with_policy() {
	local filter=$1
	shift
	"$SBX/sbx-policy" -s workspace-write -a never -C "$ws" -- "$@" |
		jq -c --arg secret "$secret" --arg one "$outside/one" --arg ws "$ws" \
			".policy.permissions.fs += $filter" |
		"$SBX/sbx-approve" | "$SBX/sbx-select" | "$SBX/sbx-wrap" | "$SBX/sbx-run" --exec
}
none='[{"path":$secret,"access":"none"},{"path":$one,"access":"none"},
	{"path":($ws + "/private"),"access":"none"}]'
reopened='[{"path":$secret,"access":"none"},{"path":($secret + "/deep/open"),"access":"write"}]'

run with_policy '[]' cat "$secret/file"
is "control: it is read without the entry" "$out" classified

for path in "$secret/file" "$outside/one" "$ws/private/file"; do
	name=${path#"$scratch/"}
	run with_policy "$none" cat "$path"
	unlike "$name: not read" "$out$err" classified
	isnt "$name: and the command fails" "$status" 0
	before=$(state "$path")
	run with_policy "$none" sh -c 'echo evil >"$1"; echo evil >"${1%/*}/new"; rm -f "$1"' - "$path"
	is "$name: not written" "$(state "$path")" "$before"
	run with_policy "$none" sh -c 'cat "/proc/self/root$1"; ln "$1" got && cat got; cp "$1" got && cat got' - "$path"
	unlike "$name: nor by another way" "$out" classified
done
ok "nothing was made in the workspace" absent "$ws/got"
ok "nothing was made in the hidden directory" absent "$secret/new"

run with_policy "$none" sh -c 'touch "$1/new" && echo made; mkdir "$1/d" && echo made' - "$secret"
is "the hidden directory takes no files" "$out" ""
run with_policy "$none" sh -c 'ls -A "$1" 2>/dev/null' - "$secret"
is "and lists none" "$out" ""
run with_policy "$none" sh -c 'mv private away && echo moved; rmdir private && echo removed' -
is "a hidden directory of the workspace cannot be moved or removed" "$out" ""
ok "and is still there" test -e "$ws/private/file"
run with_policy "$none" sh -c 'chmod 777 "$1"; cat "$1/file"; umount "$1"; cat "$1/file"' - "$secret"
unlike "nor uncovered" "$out" classified

run with_policy "$reopened" sh -c 'cat "$1/deep/open/file"; echo more >>"$1/deep/open/file"; cat "$1/file"' - "$secret"
is "a child given back is read" "$out" classified
is "and written" "$(tail -n 1 "$secret/deep/open/file")" more
# What is hidden inside what is hidden needs no name there.
mkdir "$secret/other"
twice='[{"path":$secret,"access":"none"},{"path":($secret + "/other"),"access":"read"},
	{"path":($secret + "/deep/open"),"access":"none"},{"path":($secret + "/deep/open/.codex"),"access":"none"}]'
run with_policy "$twice" sh -c 'cd "$1/other" && echo open; [ -e "$1/deep" ] && echo seen' - "$secret"
have NAMESPACES || out=${out%$'\n'seen} # hidden-names is lost there, and named
is "not even its directory is seen" "$out" open
finish
