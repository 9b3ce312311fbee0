#!/bin/bash
# Caches of tools can be written without effect on the host: what was written is there
# again for the same workspace, for no other one, and never outside.
. "${0%/*}/lib/lib.sh"
need USERNS
need OVERLAY
old=${scratch:?}/home
export HOME=$old
kept=$old/.local/state/sbx
other=$scratch/other
mkdir -p "$old/.npm/_cacache" "$old/.cache/pip" "$old/.cache/hidden" "$old/.cargo/bin" "$other"
echo host >"$old/.npm/file"
echo host >"$old/.npm/_cacache/old"
echo secret >"$old/.cache/hidden/x"
echo fixed >"$old/.cache/fixed"
echo tool >"$old/.cargo/bin/tool"

# home_state DIRECTORY: all that is in it but what sbx keeps
home_state() { state "$1" | grep -v -e '^|' -e '^\.local\(/state\)\?\(/sbx.*\)\?|'; }
printf '%s\n' 'echo new >~/.npm/file; echo more >~/.npm/more; rm ~/.npm/_cacache/old; chmod 600 ~/.npm/file' \
	'mkdir -p ~/.cache/tool/deep && echo x >~/.cache/tool/deep/x && mv ~/.cache/tool/deep/x ~/.cache/tool/y' \
	'ln ~/.cache/tool/y ~/.cache/tool/z && ln -s y ~/.cache/tool/l && touch -d 2001-01-01 ~/.cache/pip' \
	'echo lock >~/.cargo/.package-cache' >"$scratch/change"
cp -a "$old" "$scratch/copy"
before=$(home_state "$old")
HOME=$scratch/copy unboxed sh "$scratch/change"
isnt "control: without the sandbox it changes the caches" "$status $(home_state "$scratch/copy")" "0 $before"
boxed sh "$scratch/change"
is "it works" "$status$err" 0
is "the host's are as they were" "$(home_state "$old")" "$before"
boxed sh -c 'cat ~/.npm/file ~/.npm/more ~/.cache/tool/y ~/.cargo/.package-cache; ls ~/.npm/_cacache'
is "the next run finds what was written" "$out" "new
more
x
lock"
# What the kernel leaves of an overlay: the next run removes it, and so can its owner.
left() { (cd "$kept/caches" && find . -path '*/upper' -prune -o -type d \( -name work -o -name spent -o ! -perm -700 \) -printf '%f %m\n' | sort | xargs); }
is "the kernel's directories are left once, and open to their owner" "$(left)" "work 700 work 700"
places=("$kept"/caches/*/0)
mv "${places[0]}/work" "${places[0]}/spent" && mkdir -p "${places[0]}/work/work/incompat/volatile"
chmod 0 "${places[0]}/work/work/incompat"
boxed true
is "... also after a run that was killed" "$status$err $(left)" "0 work 700 work 700"
run "$SBX/sbx-run" -s workspace-write -a never -C "$other" -- sh -c 'cat ~/.npm/file; ls ~/.npm ~/.npm/_cacache'
is "another workspace does not" "$out" "host
$old/.npm:
_cacache
file

$old/.npm/_cacache:
old"

# Programs are no cache, whether there are any or not.
denied "a program of the host's" "$old/.cargo/bin/tool" -- sh -c 'echo bad >~/.cargo/bin/tool'
denied "a new program" "$old/.cargo/bin/new" -- sh -c 'echo bad >~/.cargo/bin/new'
boxed sh -c 'cat ~/.cargo/bin/tool; ls ~/.cargo/bin'
is "they are there as they are" "$out" "tool
tool"
denied "what is no cache" "$old/file" -- sh -c 'echo x >~/file'

# Where it is kept is nobody's business inside.
boxed sh -c 'ls -A "$0"; echo x >"$0/x"' "$kept/caches"
unlike "the kept copies are not seen" "$out" '[0-9a-f]{8}'
ok "... nor written" absent "$kept/caches/x"
is "... and private" "$(stat -c %a "$kept" "$kept/caches" | sort -u)" 700

# What the policy closes stays closed in the copy.
mkdir "$old/.codex"
printf '%s\n' '[permissions.shut]' 'extends = ":workspace"' '[permissions.shut.filesystem]' \
	'"~/.cache/hidden" = "none"' '"~/.cache/fixed" = "read"' >"$old/.codex/config.toml"
shut=("$SBX/sbx-run" -a never -P shut -C "$ws" --)
run "${shut[@]}" sh -c 'cat ~/.cache/hidden/x; mv ~/.cache/hidden ~/.cache/h; cat ~/.cache/h/x; cat ~/.cache/fixed'
is "a hidden name cannot be read or moved away" "$out" fixed
run "${shut[@]}" sh -c 'echo x >~/.cache/fixed; rm -f ~/.cache/fixed; mv ~/.cache/fixed ~/.cache/f; cat ~/.cache/fixed
	echo x >~/.cache/own && echo written'
is "what is to be read only is, the rest is a copy" "$out" "fixed
written"
rm "$old/.codex/config.toml"
rmdir "$old/.codex"

# The observer calls none of it denied, and goes on with what is.
if have OBSERVER; then
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --json -- \
		sh -c 'echo x >~/.npm/a; rm ~/.npm/a; mkdir -p ~/.cache/b; mkdir ~/.other; echo y >~/.cargo/bin/c'
	is "what is denied is what has no copy" "$(jq -rc '[.result.denials[].path]' <<<"$out")" \
		"[\"$old/.other\",\"$old/.cargo/bin/c\"]"
fi

# Two runs at once have one each.
mkfifo "$scratch/hold"
"${box[@]}" sh -c 'echo one >~/.npm/turn; echo ready; cat; cat ~/.npm/turn' <"$scratch/hold" >"$scratch/one" 2>&1 &
one=$!
kill_later "$one"
exec 7>"$scratch/hold"
eventually 10 grep -q ready "$scratch/one"
boxed sh -c 'echo two >~/.npm/turn && cat ~/.npm/turn ~/.npm/file'
is "a second run works beside the first" "$out" "two
host"
exec 7>&-
wait "$one"
is "... and does not disturb it" "$(cat "$scratch/one")" "ready
one"

# A killed run leaves nothing that stops the next.
mkfifo "$scratch/hold2"
"${box[@]}" sh -c 'echo killed >~/.npm/turn; rm -rf ~/.cache/tool; echo ready; cat' <"$scratch/hold2" >"$scratch/two" 2>&1 &
one=$!
exec 7>"$scratch/hold2"
eventually 10 grep -q ready "$scratch/two"
{ kill -KILL "$one" && wait "$one"; } 2>/dev/null
exec 7>&-
# All of it: what is still ending counts as a run beside the next one, which then leaves
# the stand-ins to it.
eventually 10 not_running 'echo killed >~/.npm/turn'
boxed sh -c 'echo again >~/.npm/turn && cat ~/.npm/turn'
is "the run after a killed one works" "$status $out" "0 again"
is "the host's are still as they were" "$(home_state "$old")" "$before"

# --allow opens the host's own.
set_box --allow cache:pip
boxed sh -c 'echo own >~/.cache/pip/own && echo copy >~/.cache/copy'
is "--allow: the host's own cache, and no other" "$(cat "$old/.cache/pip/own" "$old/.cache/copy" 2>/dev/null)" own
rm "$old/.cache/pip/own"
set_box

# A new home: what is missing is there inside, and nowhere after.
new=$scratch/new
mkdir "$new"
export HOME=$new
boxed sh -c 'mkdir ~/.cache/x && echo first >~/.cache/x/y && cat ~/.cache/x/y'
is "a new home: the cache can be written" "$status $out" "0 first"
is "... and is not made" "$(find "$new" -path "$new/.local" -prune -o -print)" "$new"
boxed cat "$new/.cache/x/y"
is "... and what was written is there again" "$out" first
store=$new/.local/share/pnpm/store
: >"$ws/pnpm-lock.yaml"
boxed sh -c 'mkdir -p "$0/v3" && ls "$0"' "$store"
is "a new home: the cache of a tool that a lock file names" "$status $out" "0 v3"
rm "$ws/pnpm-lock.yaml"
have PROGRAM pnpm || denied "... and of no other tool" "$store" -- mkdir -p "$store"
denied "a new home: what is no cache" "$new/file" -- sh -c 'echo x >~/file'

# A mount somewhere in the home directory: the kernel refuses an overlay of the whole.
if have MOUNTS; then
	export HOME=$old
	mkdir "$old/far"
	# mounted_at DIRECTORY COMMAND...: in mounts of its own
	mounted_at() {
		# shellcheck disable=SC2016
		run unshare --mount --propagation private sh -c 'mount -t tmpfs none "$0" && exec "$@"' "$1" "${box[@]}" "${@:2}"
	}
	mounted_at "$old/far" sh -c 'echo far >~/.npm/file; mkdir -p ~/.cache/tool && echo x >~/.cache/tool/far; cat ~/.npm/file'
	is "a mount beside the caches: they are copies" "$status $out$err" "0 far"
	ok "control: each is an overlay of its own" test -d "${places[0]}/work/part1/work"
	is "... what the kernel leaves of them is open as well" \
		"$(find "$kept/caches" -path '*/upper' -prune -o -type d ! -perm -700 -print)" ""
	is "... the host's are as they were" "$(home_state "$old" | grep -v '^far|')" "$before"
	boxed cat "$old/.npm/file" "$old/.cache/tool/far"
	is "... and what was written is there without the mount" "$out" "far
x"
	mounted_at "$old/.cache" sh -c 'echo more >~/.npm/file; echo x >~/.cache/x; cat ~/.npm/file'
	is "a mount on a cache: the other is a copy" "$out" more
	is "... the host's are as they were" "$(home_state "$old" | grep -v '^far|')" "$before"
	rmdir "$old/far"
fi

# Nor where what is written would lie on an overlay, as in most containers: no attempt is
# made that must fail.
if have MOUNTS && have PROGRAM strace; then
	on_overlay() {
		unshare --mount sh -ec 'mkdir -p "$1" && mount -t tmpfs tmpfs "$1" && cd "$1" && mkdir lower upper work home
			mkdir -p lower/.npm && echo host >lower/.npm/file
			mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work overlay home
			export HOME=$1/home; shift; cd /; exec "$@"' - "$scratch/small" "$@"
	}
	run on_overlay strace -f -qq -e trace=mount,fsconfig -o "$scratch/trace" \
		"${box[@]:0:1}" --json "${box[@]:1}" sh -c 'cat ~/.npm/file; echo x >~/.npm/file'
	like "a home on an overlay: its caches can be read" "$out" '"stdout":"host'
	like "... and it is said that they are no copies" "$(jq -rc '[.sandbox.lost[].guarantee]' <<<"$out")" '"cache-copies"'
	is "... and none is tried" "$(grep -c 'overlay.*EINVAL' "$scratch/trace")" 0
	run on_overlay "${box[@]}" sh -c 'echo x >~/.npm/file; cat ~/.npm/file'
	is "... and the host's are as they were" "$out" host
	boxed sh -c 'cat ~/.npm/file'
	run "${box[@]:0:1}" --json "${box[@]:1}" true
	unlike "control: elsewhere they are copies" "$(jq -rc '[.sandbox.lost[]?.guarantee]' <<<"$out")" 'cache-copies'
fi

# What a permission set names itself is as it says.
export HOME=$old
run "$SBX/sbx-run" -a never -C "$ws" -P p -c \
	'permissions.p.filesystem={":minimal"="read",":workspace_roots"="write","~/.npm"="read"}' -- \
	sh -c 'cat ~/.npm/file; echo x >~/.npm/file'
is "a cache that is named to be read is read only" "$out $(cat "$old/.npm/file")" "host host"

# Each takes descriptors: where there are few of them the run comes up without some.
for most in 64 128; do
	run sh -c 'ulimit -n "$0"; exec "$@"' "$most" "${box[@]}" sh -c 'echo x >~/.npm/file; echo ran'
	like "with $most descriptors it runs" "$status $out" "^0 .*ran"
	is "... and the host's are as they were" "$(cat "$old/.npm/file")" host
done

# Without mounts they are read-only, and the document says so.
if have LANDLOCK 3 && "$TRY" docker true 2>/dev/null; then
	export HOME=$old
	run "$TRY" docker "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --json -- sh -c 'echo x >~/.npm/file'
	is "Landlock alone: the host's cache is not written" "$(cat "$old/.npm/file")" host
	like "... and it is said" "$(jq -rc '[.sandbox.lost[].guarantee]' <<<"$out")" '"cache-copies"'
fi
finish
