#!/bin/bash
# What the report suggests is the least that works: never a home directory,
# nothing that is in force, no directory that is gone by then; one line has
# all of it, and obeying it once is enough.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/denials.sh"
need_observer
cd "$ws" || exit 1

human() { run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --report human "$@"; }
line() { sed -n 's/^sbx-run: run again with: //p' <<<"$err"; }
again() { # COMMAND...: as the line says, read by a shell
	local options
	options=$(line)
	eval "human $options -- \"\$@\""
}

human -- mkdir "$HOME/.tool"
is "a directory of a tool in a new home: itself" "$(line)" "--add-dir ~/.tool"
like "... with what it does" "$err" 'create ~/.tool \(mkdir\) +allow with: --add-dir ~/.tool, which makes it$'
ok "control: it is not there yet" absent "$HOME/.tool"
again sh -c "mkdir -p $HOME/.tool/x"
is "... works" "$status $(ls -A "$HOME/.tool")" "0 x"
rmdir "$HOME/.tool/x" "$HOME/.tool"
# shellcheck disable=SC2088 # no shell is to expand it
human --add-dir '~/.tool' -- true
is "... also where no shell reads it" "$status $(stat -c %a "$HOME/.tool")" "0 700"
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --explain --add-dir "$HOME/.other" -- true
ok "nothing is made to explain it" absent "$HOME/.other"
human --add-dir "$outside/typing-error" -- true
like "elsewhere it is an error" "$status $err" '^125 .*no such directory'

human -- touch "$HOME/.file"
is "a file in a home: no option" "$status $(line)" "1 "
like "... but a sentence" "$err" 'create ~/.file \(touch\) +no option opens a home directory'
human -- touch "$scratch/beside"
is "nor what holds a home" "$(line)" ""
mkdir "$HOME/data" "$HOME/data/deep" "$outside/one"
human -- sh -c "touch $HOME/data/deep/x $HOME/data/y $outside/one/z; mkdir $HOME/.gnupg; exit 1"
is "all in one line, nested ones once" "$(line)" "--add-dir ~/data --add-dir $outside/one --add-dir ~/.gnupg"
like "what holds keys or settings is marked" "$err" 'create ~/.gnupg .*, which makes it +!! keys'
mkdir "$HOME/with blank"
human -- touch "$HOME/with blank/x"
is "a blank" "$(line)" "--add-dir ~/'with blank'"
again touch "$HOME/with blank/x"
is "... can be pasted" "$status" 0
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --json -- mkdir "$HOME/.new"
is "the document says the same, with whole paths" "$(jq -c '.result.denials[] | [.allow_with, .grant]' <<<"$out")" "[\"--add-dir $HOME/.new\",null]"

mkdir -p "$ws/.git/objects" "$ws/.git/refs" "$ws/.git/hooks"
echo 'ref: refs/heads/main' >"$ws/.git/HEAD"
human --allow git -- touch "$ws/.git/hooks/x"
unlike "what is in force is not suggested" "$(line)" '--allow git$'
rm -r "$ws/.git"
human -- touch "$ws/.codex/x"
is "what stands for a missing name is no directory" "$status $(line)" "1 "

# Silence, and what never matters.
human -- sh -c "touch $HOME/.bash_history; touch $outside/one/x; exit 1"
is "history is no denial" "$(line) $(grep -c history <<<"$(sed -n '/^sbx-run/,$p' <<<"$err")")" "--add-dir $outside/one 0"
finish
