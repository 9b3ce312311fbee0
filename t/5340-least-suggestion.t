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

mkdir "$HOME/.cargo"
human -- sh -c "mkdir $HOME/.cargo/bin; exit 1"
is "a new home: the directory of programs beside a cache" "$(line)" "--add-dir ~/.cargo/bin"
like "... with a warning" "$err" 'create ~/.cargo/bin (.|\n)*!! '
again sh -c "echo x >$HOME/.cargo/bin/x"
is "... works" "$status $(ls "$HOME/.cargo/bin")" "0 x"
rm -r "$HOME/.cargo"
news='import os, socket
try:
    s = socket.socket(type=socket.SOCK_DGRAM); s.connect(("192.0.2.53", 53)); s.send(b"x")
except OSError: pass
os.mkdir(os.environ["HOME"] + "/.other")'
human -- python3 -c "$news"
is "a program that went on without the network was stopped by a file" "$(line)" "--add-dir ~/.other"
like "... and what it looked for is reported" "$err" 'look up 192\.0\.2\.53:53'
human -- python3 -c "${news%os.mkdir*}open(os.environ['HOME'] + '/.npmrc', 'w')"
is "... also one that nothing opens" "$status $(line)" "1 "
like "... which is said" "$err" 'create ~/.npmrc \(python3.*\)\s+no option opens a home directory'
human -- python3 -c "${news%mkdir*}_exit(1)"
is "control: one that looked for nothing else" "$(line)" "--network on"

human -- touch "$HOME/.file"
is "a file in a home: no option" "$status $(line)" "1 "
like "... but a sentence" "$err" 'create ~/.file \(touch\) +no option opens a home directory'
# What a program takes from HOME can be elsewhere: that opens nothing.
human -- sh -c 'echo x >~/.cookie; mkdir ~/.tool; exit 1'
is "a file of a program's own in a home: another home" "$(line)" "--env HOME=/tmp"
again sh -c 'echo x >~/.cookie && cat ~/.cookie'
is "... works" "$status $out" "0 x"
again cat /tmp/.cookie
is "... and is there for the next run" "$out" x
ok "... the home has none of it" absent "$HOME/.cookie"
human -- sh -c 'echo x >~/notes; echo x >~/.bashrc; exit 1'
is "not for a person's own file, nor for what runs later" "$(line)" ""
human --tmp shared -- sh -c 'echo x >~/.cookie'
is "nor where /tmp is everybody's" "$(line)" ""
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
