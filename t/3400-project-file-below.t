#!/bin/bash
# A command cannot write the policy of the next run: a file below the trusted
# directory is nobody's, and the configuration of no project that lies in a
# writable root can be written or put in place.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/config.sh"

wide='sandbox_mode = "danger-full-access"'
# The next run, in a directory: does it reach what is outside?
reaches() {
	rm -f "$outside/reached"
	run "$SBX/sbx-run" -a never -C "$1" -- touch "$outside/reached"
	exists "$outside/reached"
}
held() { not_ok "$1" reaches "$2"; }

repository "$ws"
mkdir "$ws/sub"
config "$(trusted "$ws")"
set_box
in_project "$wide"
look
ok "control: a file that was looked at opens the sandbox" reaches "$ws"
ok "control: below it, too" reaches "$ws/sub"
rm -r "$ws/.codex"
look

held "control: without a file it is closed" "$ws/sub"
allowed "a plain file below" "$ws/sub/plain" -- touch "$ws/sub/plain"
boxed sh -c "mkdir -p '$ws/sub/.codex' && echo '$wide' >'$ws/sub/.codex/config.toml'"
held "run 1 writes sub/.codex/config.toml, run 2 starts in sub" "$ws/sub"
mkdir -p "$ws/sub/deep" "$ws/sub/.codex"
echo "$wide" >"$ws/sub/.codex/config.toml"
held "the same, written by anybody" "$ws/sub"
held "... and from further below" "$ws/sub/deep"
like "... which is said" "$(reaches "$ws/sub"; echo "$err")" 'sub/.codex/config.toml": ignored: only the file of the trusted directory'
rm -r "$ws/sub/.codex"

# The other way round: the root is around the project.
projects=$scratch/projects
mkdir -p "$projects/plain"
repository "$projects/repo"
mkdir "$projects/bare-trust"
repository "$projects/a/b/c/other"
config "$(trusted "$projects/repo")" "$(trusted "$projects/bare-trust")"
set_box --add-dir "$projects"
write_in=$scratch/write-in
printf '#!/bin/sh\nmkdir -p "$1" && echo "$2" >"$1/config.toml"\n' >"$write_in"
chmod +x "$write_in"
allowed "a directory of no project" "$projects/plain" -- "$write_in" "$projects/plain/.codex" "$wide"
for project in repo bare-trust a/b/c/other; do
	for name in .codex .agents; do
		place=$projects/$project
		denied "$project/$name, which is missing" "$place/$name" -- "$write_in" "$place/$name" "$wide"
		denied "... by a link" "$place/$name" -- ln -s "$projects/plain" "$place/$name"
		denied "... by a rename" "$place/$name" -- sh -c "mkdir '$projects/plain/new'; mv -T '$projects/plain/new' '$place/$name'"
		rm -rf "$projects/plain/new"
		mkdir "$place/$name"
		echo 'approval_policy = "untrusted"' >"$place/$name/config.toml"
		denied "$project/$name/config.toml, which is there" "$place/$name" -- sh -c "echo '$wide' >'$place/$name/config.toml'"
		denied "... by a rename" "$place/$name" -- mv "$place/$name" "$place/$name.old"
		rm -rf "${place:?}/$name" "$place/$name.old"
	done
done
# The project itself, moved away and another put in its place.
denied "the project's directory" "$projects/repo" -- sh -c "mv '$projects/repo' '$projects/moved' && mkdir '$projects/repo'"
rm -rf "$projects/moved"
mkdir "$projects/real"
ln -s real "$projects/link"
config "$(trusted "$projects/link")"
denied "a link with an entry: a directory in its place would be trusted" "$projects/link" -- sh -c "rm '$projects/link' && mkdir '$projects/link'"

# Trusted, removed, and made again by a command: by path it is trusted, but
# nobody looked at what it says.
config "$(trusted "$projects/gone")"
boxed "$write_in" "$projects/gone/.codex" "$wide"
held "a directory that a command made at a trusted path" "$projects/gone"
is "it was made" "$(cat "$projects/gone/.codex/config.toml")" "$wide"

# /tmp is a root as well; where it is the host's, what is deep in it is not looked for.
have NAMESPACES || {
	skip "a trusted project in /tmp" "no namespaces here"
	finish
}
in_tmp
repository "$tmp/repo"
config "$(trusted "$tmp/repo")"
set_box
boxed "$write_in" "$tmp/repo/.codex" "$wide"
# A run of somebody else that may write in /tmp keeps such a name for as long as it lasts.
ok "a trusted project in /tmp" eventually 10 absent "$tmp/repo/.codex"
held "... and the next run in it" "$tmp/repo"
"$write_in" "$tmp/repo/.codex" "$wide"
held "control of the control: nobody looked at this one" "$tmp/repo"
look "$tmp/repo"
ok "control: looked at, it counts" reaches "$tmp/repo"
finish
