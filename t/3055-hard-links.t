#!/bin/bash
# A second name for a file does not carry it out of its protection.
. "${0%/*}/lib/lib.sh"

echo good >"$outside/victim"
mkdir "$ws/.git"
echo good >"$ws/.git/config"
echo secret >"$outside/secret"
chmod 600 "$outside/secret"

denied "link an outside file in, then write" "$outside/victim" -- sh -c "ln -f '$outside/victim' got && echo evil >got; rm -f got"
denied "link a protected file out, then write" "$ws/.git/config" -- sh -c 'ln -f .git/config got && echo evil >got; rm -f got'
denied "link by /proc/self/fd" "$outside/victim" -- \
	sh -c "exec 5<'$outside/victim'; ln -L /proc/self/fd/5 got; echo evil >got; rm -f got"
denied "link a new file out" "$outside" -- sh -c "echo evil >mine; ln mine '$outside/mine'"
denied "rename a file out" "$outside" -- sh -c "echo evil >mine; '$TRY' rename mine '$outside/mine'"
denied "O_TMPFILE and linkat outside" "$outside/new" -- "$TRY" tmpfile "$ws" "$outside/new"
denied "O_TMPFILE outside" "$outside/new" -- "$TRY" tmpfile "$outside" "$outside/new"
allowed "control: link inside" "$ws/second" -- sh -c 'echo x >first; ln -f first second'
allowed "control: O_TMPFILE and linkat inside" "$ws/named" -- "$TRY" tmpfile "$ws" "$ws/named"
finish
