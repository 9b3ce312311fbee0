#!/bin/bash
# A command, an argument or a path that begins with "-" is never an option.
. "${0%/*}/lib/lib.sh"

# Commands whose names are options of bubblewrap or of our own programs.
bin=$scratch/bin
mkdir "$bin"
for name in --bind --share-net --dev-bind --ro-bind --argv0 --args --policy --landlock --help -s --; do
	printf '#!/bin/sh\necho "ran $*"\n' >"$bin/$name"
	chmod +x "$bin/$name"
	run env PATH="$bin:$PATH" "${box[@]}" "$name" / / true
	is "the command $name runs as a command" "$out" "ran / / true"
done

boxed echo --bind / / --share-net -- -x
is "arguments arrive as they are" "$out" "--bind / / --share-net -- -x"
boxed printf '%s|' "" "-" "--" "-n" " "
is "also empty ones and dashes" "$out" '|-|--|-n| |'

for name in -ws --ws --bind "-C" "--add-dir=x" "-- x"; do
	ws=$scratch/$name
	mkdir -p -- "$ws/.git"
	run_sbx -s workspace-write -a never -C "$ws" -- sh -c 'pwd; echo x >made; echo x >.git/made; echo x >../outside/made'
	is "workspace \"$name\": is the cwd" "$out" "$ws"
	ok "workspace \"$name\": is writable" test -e "$ws/made"
	ok "workspace \"$name\": .git is not" absent "$ws/.git/made"
	ok "workspace \"$name\": outside is not" absent "$outside/made"
	(cd -- "$scratch" && "$SBX/sbx-run" -s workspace-write -a never -C "$name" -- touch rel 2>/dev/null)
	ok "workspace \"$name\": as a relative path" test -e "$ws/rel"
	mkdir "$ws/sub"
	run_sbx -s workspace-write -a never -C "$scratch/ws" --add-dir "$ws" -- touch "$ws/added"
	ok "workspace \"$name\": as an added directory" test -e "$ws/added"
done
ws=$scratch/ws
for name in -n --tmpfs; do
	mkdir -- "$ws/$name"
	git init -q -- "$ws/$name/repo"
	denied "a nested repository below \"$name\"" "$ws/$name/repo/.git" -- touch "$ws/$name/repo/.git/x"
done
finish
