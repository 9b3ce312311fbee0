#!/bin/bash
# --learn: the permission set that would have allowed it, readable, without
# secrets, and enough.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/denials.sh"
config=$HOME/.codex/config.toml
toml() { "$HELPER/toml-decode" <"$1" | jq -e 'walk(if type == "object" and (.type | type) == "string" then .value else . end)'; }

# What is printed for what was denied; the helper is a stand-in's.  --learn
# needs a command, so the stages are one that gives the stand-in's document.
learn() { # EVENT...
	stand_in "$@"
	cat >"$scratch/stage" <<END
#!/bin/sh
cat >/dev/null
cat $scratch/in
END
	chmod 755 "$scratch/stage"
	run "$SBX/sbx-run" --learn-file "$scratch/learned" --stage wrap="$scratch/stage" -s danger-full-access -a never -- true
	learned=$(cat "$scratch/learned")
}
mkdir -p "$HOME/.ssh" "$HOME/.cache/pip" "$HOME/docs" "$outside/many" "$ws/.git/hooks"
echo key >"$HOME/.ssh/id"
learn "$(denial create "$outside/many/x" "{\"write\":[\"$outside/many\"]}")"
is "the command's own code" "$status$err" 1
is "a set, named after the program, with what the policy gave" "$learned" "# learned from 1 denial
[permissions.prog-ram]
network = \"off\"

[permissions.prog-ram.filesystem]
\":root\" = \"read\"
\":workspace_roots\" = \"write\"
\":slash_tmp\" = \"write\"
\":tmpdir\" = \"write\"
\"$outside/many\" = \"write\""
events=()
for i in $(seq 400); do
	events+=("{\"event\":\"denial\",\"op\":\"write\",\"path\":\"$outside/many/$i\",\"grant\":{\"write\":[\"$outside/many/$i\"]}}")
done
learn "${events[@]}"
is "a directory rather than 400 files" "$(grep -F "$outside" <<<"$learned")" "\"$outside/many\" = \"write\""
learn "${events[@]:0:3}"
is "... but not for three" "$(grep -cF "$outside" <<<"$learned")" 3
events=()
for i in $(seq 9); do events+=("$(denial write "$HOME/$i" "{\"write\":[\"$HOME/$i\"]}")"); done
learn "${events[@]}"
is "... and never the home directory" "$(grep -c '^"~/[0-9]" = "write"' <<<"$learned") $(grep -c '^"~" ' <<<"$learned")" "9 0"
learn "$(denial create "$outside/many/deep/x" "{\"write\":[\"$outside/many/deep\"]}")" "$(denial create "$outside/many/x" "{\"write\":[\"$outside/many\"]}")"
is "what lies in another is said already" "$(grep -F "$outside" <<<"$learned")" "\"$outside/many\" = \"write\""
learn "$(denial create "$HOME/.cache/pip/x" "{\"write\":[\"$HOME/.cache/pip\"]}")"
like "a cache by its preset" "$learned" '^allow = \["cache:pip"\]'
unlike "... not by its path" "$learned" '/pip"'
learn "$(denial create "$HOME/docs/x" "{\"write\":[\"$HOME/docs\"]}")"
like "the home directory as people write it" "$learned" '^"~/docs" = "write"$'
learn "$(denial connect x '{"network":"loopback"}')" "$(denial connect y '{"network":"on"}')" "$(denial connect z '{"unix_sockets":["/run/my.sock"]}')" \
	"$(denial connect d '{"unix_sockets":["/run/docker.sock"]}')"
like "the wider network" "$learned" '^network = "on"$'
like "sockets" "$learned" '^unix_sockets = \["/run/my.sock"\]$'
like "... not those that are the whole machine" "$learned" '^# unix_sockets = \["/run/docker.sock"\]$'

mkdir -p "$ws/.git/objects" "$ws/.git/refs"
echo "ref: refs/heads/main" >"$ws/.git/HEAD"
# Never without a word.
for bad in "$HOME/.ssh" "$HOME/.ssh/id" "$ws/.git/hooks" "$ws/.codex" "$outside/.agents" /etc/sudoers.d "$HOME/.bashrc"; do
	learn "$(denial write "$bad/x" "{\"write\":[\"$bad\"]}")"
	unlike "not learned: ${bad#"$scratch"}" "$(grep -v '^#' <<<"$learned")" "${bad##*/}\""
	like "... a comment with the reason: ${bad#"$scratch"}" "$learned" "^# \".*${bad##*/}\" = \"write\"\$"
	like "... above it" "$learned" '^# NOT learned: '
done
learn "$(denial create "$HOME/new" "{\"write\":[\"$HOME\"]}")"
unlike "a home directory is never learned" "$learned" '^"~" ='
like "... and it is said" "$learned" '^# no permission set allows this: create .*/new$'
learn "$(denial create "$HOME/new" "{\"write\":[\"$HOME\"]}" '.syscall = "mkdir"')"
like "a directory in it is, by itself" "$learned" '^"~/new" = "write"$'
like "... once it is there" "$learned" '^# make it before: mkdir -p .*/new$'
learn "$(denial call x null 'del(.path) | .syscall = "ptrace"')"
like "what no set allows is said" "$learned" '^# no permission set allows this: call ptrace$'
learn '{"event":"unobserved","why":"old kernel"}'
like "nobody looked" "$learned" '^# nothing was learned: denials were not observed: old kernel$'
learn "$(denial create $'/e\n"]\\\u202e/x' '{"write":["/e\n\"]\\‮"]}')" "$(denial create x '{"write":[{"base64":"L/8="}]}' '.path = {base64: "L/94"}')"
ok "hostile names: TOML" toml "$scratch/learned"
is "... with the name in it" "$(toml "$scratch/learned" | jq -c '[.permissions."prog-ram".filesystem | keys[] | select(startswith("/e"))]')" \
	'["/e\n\"]\\‮"]'
like "... and the one that TOML cannot say" "$learned" '^# not UTF-8'
echo "longer than what follows, and not ours: $(seq 999)" >"$scratch/learned"
learn
ok "a file from before is replaced" toml "$scratch/learned"
rm "$scratch/learned"
ln -s "$scratch/elsewhere" "$scratch/learned"
run "$SBX/sbx-run" --learn-file "$scratch/learned" -s danger-full-access -a never -- touch "$ws/ran"
is "a link is not followed, and nothing runs" "$status $(ls "$ws/ran" "$scratch/elsewhere" 2>/dev/null)" "125 "
rm "$scratch/learned"
run "$SBX/sbx-run" --learn -s danger-full-access -a never -- true
like "without a sandbox there is nothing to learn" "$status $err" '^125 .*without a sandbox'

# The real thing: what is learned is enough.
need_observer
rm -rf "$ws/.git"
real() { run "$SBX/sbx-run" -a never -C "$ws" "$@"; }
# teach DESCRIPTION OPTIONS... -- COMMAND: learns until nothing is denied
teach() {
	local what=$1 name round
	shift
	: >"$config"
	real --learn-file "$scratch/learned" "${given[@]}" -- "$@"
	name=$(sed -n 's/^\[permissions\.\([^].]*\)\]$/\1/p' "$scratch/learned")
	for round in 1 2 3 4 5; do
		cp "$scratch/learned" "$config"
		# What a person is told to do before.
		sed -n 's/^# make it before: \(mkdir -p .*\)$/\1/p' "$scratch/learned" | sh
		real --learn-file "$scratch/learned" -P "$name" -- "$@"
		[ "$status" != 0 ] || break
	done
	is "$what: enough after $round" "$status" 0
	is "... and it stays as it is" "$(grep -v '^#' "$scratch/learned")" "$(grep -v '^#' "$config")"
	real -P "$name" -- "$@"
	is "... without --learn as well" "$status" 0
}
given=(-s workspace-write)
mkdir "$outside/in" "$outside/out" "$outside/third"
teach "one thing after another" sh -c "set -e; touch $outside/in/x; touch $outside/out/y; mkdir -p $HOME/a/b; touch f"
ok "... control: nothing else is open" test "$("$SBX/sbx-policy" -C "$ws" -P sh --check-path write "$outside/third" | jq .allowed)" = false
ok "... nor the keys" test "$("$SBX/sbx-policy" -C "$ws" -P sh --check-path write "$HOME/.ssh/id" | jq .allowed)" = false
given=(-s read-only)
teach "from read-only" sh -c "set -e; touch $outside/in/x; touch f"
given=(-s workspace-write --add-dir "$outside/in" --network loopback)
teach "with what options gave" sh -c "set -e; touch $outside/in/z; touch $outside/out/z"
like "... the network too" "$(cat "$config")" 'network = "loopback"'
given=(-s workspace-write)
if have PROGRAM git; then
	git init -q "$ws"
	git -C "$ws" config user.email a@b
	git -C "$ws" config user.name n
	teach "git commit" git -c core.hooksPath=/dev/null commit -q --allow-empty -m x
	like "... by name" "$(cat "$config")" '^allow = \["git"\]'
	real -P git -- sh -c 'echo evil >.git/hooks/pre-commit'
	ok "... hooks stay shut" absent "$ws/.git/hooks/pre-commit"
	given=(-s workspace-write --allow git)
	teach "with a preset given" git -c core.hooksPath=/dev/null commit -q --allow-empty -m y
	real -P git -- sh -c 'echo evil >.git/hooks/pre-commit; echo evil >>.git/config'
	ok "... hooks stay shut all the same" absent "$ws/.git/hooks/pre-commit"
	unlike "... and the configuration" "$(cat "$ws/.git/config")" evil
fi
listen "unix-stream:$scratch/sock"
given=(-s workspace-write)
teach "a socket" python3 -c "import socket; socket.socket(socket.AF_UNIX).connect('$scratch/sock')"
printf '%s\n' '[permissions.mine]' 'description = "ours"' 'network = "loopback"' '[permissions.mine.filesystem]' '":root" = "read"' \
	'"~/docs" = "write"' '[permissions.mine.filesystem.":workspace_roots"]' '"." = "write"' '"secret" = "none"' >"$config"
real --learn-file "$scratch/learned" -P mine -- touch "$outside/in/mine"
is "a set that is given: its own lines, and more" "$(toml "$scratch/learned" | jq -c '.permissions.mine | [.description, .network, .filesystem["~/docs"], .filesystem[":workspace_roots"].secret, .filesystem["'"$outside/in"'"]]')" \
	'["ours","loopback","write","none","write"]'
finish
