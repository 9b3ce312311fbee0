#!/bin/bash
# A place that a variable names becomes writable only if nothing else lives in
# it, and is believed only if nobody else, and no command, could write it.
. "${0%/*}/lib/lib.sh"
need SANDBOX
export HOME=$scratch/h
mkdir -p "$HOME/.ssh" "$HOME/.vim/plugin" "$HOME/.config/app" "$HOME/bin" "$HOME/Documents" "$HOME/mytmp" "$HOME/.cache/pip" \
	"$HOME/alt/pip" "$HOME/.local/bin" "$HOME/.mozilla" "$HOME/.pip" "$HOME/cargo/registry" "$HOME/repo"
chmod 700 "$HOME/.ssh" "$HOME/mytmp"
: >"$HOME/Documents/letter"
: >"$HOME/mytmp/left-over"
: >"$HOME/.pip/pip.conf"
git init -q "$HOME/repo" 2>/dev/null || mkdir -p "$HOME/repo/.git/objects" "$HOME/repo/.git/refs"

# writes VARIABLE DIRECTORY OPTION...: a command there changes it
writes() {
	local variable=$1 directory=$2
	shift 2
	rm -f "$directory/planted"
	run env "$variable=$directory" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" "$@" -- touch "$directory/planted"
	exists "$directory/planted"
}
ok "control: a directory of temporary files" writes TMPDIR "$HOME/mytmp"
for name in .ssh .vim .vim/plugin .config .config/app bin Documents .local .local/bin .mozilla repo repo/.git; do
	not_ok "TMPDIR=~/$name opens nothing" writes TMPDIR "$HOME/$name"
	like "... and says so" "$err" 'TMPDIR: .*not made writable'
done
cp /bin/true "$HOME/mytmp/tool"
not_ok "nor a directory with a program in it" writes TMPDIR "$HOME/mytmp"
rm "$HOME/mytmp/tool"
: >"$HOME/mytmp/.bashrc"
not_ok "nor one with settings" writes TMPDIR "$HOME/mytmp"
rm "$HOME/mytmp/.bashrc"

ok "control: a cache" writes PIP_CACHE_DIR "$HOME/alt/pip" --allow cache:pip
for name in .ssh .vim .config/app Documents .local .local/bin .mozilla .pip repo; do
	not_ok "PIP_CACHE_DIR=~/$name opens nothing" writes PIP_CACHE_DIR "$HOME/$name" --allow cache:pip
	like "... and says so" "$err" 'PIP_CACHE_DIR: .*not used'
done
mkdir -p "$HOME/.vim/pip" "$HOME/.config/pip"
for name in .vim .config; do
	rm -f "$HOME/$name/pip/planted"
	run env XDG_CACHE_HOME="$HOME/$name" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --allow cache:pip -- \
		touch "$HOME/$name/pip/planted"
	ok "XDG_CACHE_HOME=~/$name opens nothing" absent "$HOME/$name/pip/planted"
done
ln -s "$HOME/.ssh" "$HOME/alt/linked"
not_ok "nor a link to keys" writes PIP_CACHE_DIR "$HOME/alt/linked" --allow cache:pip
ln -s "$HOME/.ssh" "$HOME/alt/registry"
run env CARGO_HOME="$HOME/alt" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --allow cache:cargo -- touch "$HOME/.ssh/planted"
ok "nor a link where a part of a cache should be" absent "$HOME/.ssh/planted"

# free CODEX_HOME OPTION...: its configuration lets a command write outside
free() {
	local home=$1
	shift
	mkdir -p "$home" && echo 'sandbox_mode = "danger-full-access"' >"$home/config.toml"
	rm -f "$outside/f"
	run env CODEX_HOME="$home" "$SBX/sbx-run" -a never -C "$ws" "$@" -- touch "$outside/f"
	exists "$outside/f"
}
ok "control: a CODEX_HOME of the user's own" free "$scratch/settings"
in_tmp
not_ok "one in /tmp is not believed" free "$tmp/codex"
is "... and nothing runs" "$status" 125
like "... which is said" "$err" 'CODEX_HOME: .*in /tmp'
mkdir "$scratch/shared"
chmod 777 "$scratch/shared"
not_ok "nor one below a directory that others can write" free "$scratch/shared/codex"
chmod 1777 "$scratch/shared"
ok "control: a sticky one keeps what is in it" free "$scratch/shared/codex"
mkdir "$scratch/group"
chmod 775 "$scratch/group"
not_ok "nor one that a group can write" free "$scratch/group"
not_ok "nor one in the workspace" free "$ws/codex"
mkdir "$outside/root"
echo 'approval_policy = "never"' >"$outside/root/config.toml"
run env CODEX_HOME="$outside/root" "$SBX/sbx-run" -s workspace-write -C "$ws" --add-dir "$outside" -- true
is "nor one in a writable root" "$status" 125
run env CODEX_HOME="$outside/root" "$SBX/sbx-run" -s workspace-write -C "$ws" -- true
is "control: without that root" "$status" 0
mkdir -p "$scratch/rules/rules"
echo 'prefix_rule(pattern = ["make"], decision = "allow")' >"$scratch/rules/rules/a.rules"
chmod 777 "$scratch/rules"
. "$TESTS/lib/documents.sh"
run env CODEX_HOME="$scratch/rules" "$SBX/sbx-approve" < <(doc '.policy.approval_policy = "untrusted"')
is "rules of such a place are not read either" "$status" 3
chmod 755 "$scratch/rules"
run env CODEX_HOME="$scratch/rules" "$SBX/sbx-approve" < <(doc '.policy.approval_policy = "untrusted"')
is "control: of another" "$status $(field .approval.by)" "0 rule"
mkdir -p "$HOME/.codex"
chmod 777 "$HOME/.codex"
run "$SBX/sbx-run" -s read-only -a never -C "$ws" -- true
is "the usual place, which others can write" "$status" 125
chmod 775 "$HOME/.codex"
run "$SBX/sbx-run" -s read-only -a never -C "$ws" -- true
is "control: its own group may" "$status" 0
finish
