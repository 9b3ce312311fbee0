#!/bin/bash
# A run whose root holds the workspace of another: that workspace is removed and
# made again, and a run begins in it, before the first run looks.  It ends, since
# names that it protects were removed; the names that the new run protects are
# not its to move.
. "${0%/*}/lib/lib.sh"
need USERNS

below=$outside/below
mkdir "$below" "$below/project"
fresh_tmp=(--report off -s workspace-write -a never -c sandbox_workspace_write.exclude_slash_tmp=true)
# run_in DIRECTORY OPTION...: in the background, until the command has begun
run_in() {
	local directory=$1
	shift
	mark=$directory/began.$RANDOM
	"$SBX/sbx-run" "${fresh_tmp[@]}" -C "$directory" "$@" -- \
		sh -c ": >'$mark'; sleep 20" >/dev/null 2>"$scratch/.err.${directory##*/}" &
	started=$!
	kill_later "$started"
	eventually 10 [ -e "$mark" ]
}
protected() { grep -c "project/\.\(git\|codex\|agents\) ro," "/proc/$1/mountinfo"; }

run_in "$below/project"
first=$started
mkdir "$outside/own"
run_in "$outside/own" --add-dir "$below"
above=$started
kill "$first"
wait "$first" 2>/dev/null
ok "control: the run above keeps the names of a workspace below it" [ -d "$below/project/.git" ]

# Without a report it is the helper itself by now, and cannot look while the workspace is replaced and the next run begins.
kill -STOP "$above"
remove "$below/project"
mkdir "$below/project"
run_in "$below/project"
second=$started
inside=$(pgrep -n -f "^sh -c : >'$mark")
is "control: the new run protects its names" "$(protected "$inside")" 3
kill -CONT "$above"
ok "the run above ends" eventually 10 eval '! kill -0 "$above" 2>/dev/null'
is "the new run still does" "$(protected "$inside")" 3
is "nothing was renamed" "$(find "$below/project" -name '*sbx-*' | wc -l)" 0

# What stands there and holds something is put aside as before.
kill "$second"
wait "$second" 2>/dev/null
remove "$below/project"
mkdir "$below/project"
run_in "$below/project"
first=$started
run_in "$outside/own" --add-dir "$below"
above=$started
kill "$first"
wait "$first" 2>/dev/null
kill -STOP "$above"
remove "$below/project"
mkdir -p "$below/project/.git"
echo x >"$below/project/.git/config"
chmod 1555 "$below/project/.git"
kill -CONT "$above"
eventually 10 eval '! kill -0 "$above" 2>/dev/null'
eventually 5 [ ! -e "$below/project/.git/config" ]
ok "control: a directory with the mark that holds something is put aside" [ ! -e "$below/project/.git/config" ]
chmod -R u+w "$below"
finish
