#!/bin/bash
# Only standard input, output and error are open inside, whatever the caller
# had open and however high its number.
. "${0%/*}/lib/lib.sh"

open_many() {
	exec 3<"$outside" 57<"$outside"
	exec 4>>"$outside/file"
	exec 99<>"$outside/file"
	(
		ulimit -Hn >/dev/null
		ulimit -n 4096 2>/dev/null
		exec 1023<"$outside" 1024<"$outside" 3000>>"$outside/file" 4000<"$outside"
		# Closed numbers above a lowered limit stay open.
		ulimit -n 256
		exec "$@"
	)
	local code=$?
	exec 3<&- 4>&- 57<&- 99>&-
	return "$code"
}
: >"$outside/file"

run open_many "$TRY" fds
like "control: they are open without the sandbox" "$out" '^fd 57$'
like "control: also the high ones" "$out" '^fd 4000$'
run open_many "${box[@]}" "$TRY" fds
is "inside there are three" "$(grep '^fd ' <<<"$out" | tr '\n' ' ')" "fd 0 fd 1 fd 2 "

run open_many "${box[@]}" sh -c 'ls /proc/self/fd'
is "and /proc/self/fd agrees" "$(tr '\n' ' ' <<<"$out")" "0 1 2 3 "

for fd in 3 57 1023 1024 4000; do
	run open_many "$TRY" openat "$fd" made
	ok "control: directory $fd: a write without the sandbox" test -e "$outside/made"
	rm -f "$outside/made"
	run open_many "${box[@]}" "$TRY" openat "$fd" made
	ok "directory $fd: no write with it" absent "$outside/made"
	rm -f "$outside/made"
done
for fd in 4 99 3000; do
	: >"$outside/file"
	run open_many "$TRY" write-fd "$fd"
	isnt "control: file $fd: a write without the sandbox" "$(cat "$outside/file")" ""
	: >"$outside/file"
	run open_many "${box[@]}" "$TRY" write-fd "$fd"
	is "file $fd: no write with it" "$(cat "$outside/file")" ""
done

# Through every stage by hand, which start as children of the caller as well.
staged() {
	"$SBX/sbx-policy" -s workspace-write -a never -C "$ws" -- "$TRY" fds | "$SBX/sbx-approve" |
		"$SBX/sbx-select" | "$SBX/sbx-wrap" | open_many "$SBX/sbx-run" --exec
}
run staged
is "through the stages: inside there are three" "$(grep '^fd ' <<<"$out" | tr '\n' ' ')" "fd 0 fd 1 fd 2 "

# A descriptor that is asked for is there, and no other.
if "$SBX/sbx-run" --help | grep -q -e --keep-fd; then
	run open_many "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --keep-fd 57 -- "$TRY" fds
	is "--keep-fd keeps that one" "$(grep '^fd ' <<<"$out" | tr '\n' ' ')" "fd 0 fd 1 fd 2 fd 57 "
else
	skip "--keep-fd" "sbx-run has no --keep-fd yet"
fi

# A standard stream that is closed stays useless: it is not another file.
run bash -c '"$@" <&-' - "${box[@]}" "$TRY" fds
unlike "closed standard input does not become another file" "$out" '^fd ([3-9]|[0-9][0-9])'

# The directory of the caller, kept open as its working directory.
run bash -c 'cd "$1" && shift && exec "$@"' - "$outside" "${box[@]}" sh -c 'pwd; echo x >../outside/made; ls -l /proc/self/cwd'
ok "the working directory of the caller is not a way out" absent "$outside/made"
finish
