#!/bin/bash
# A protected name that somebody outside replaces, removes, renames or mounts
# over while a command runs: the command is ended, with a line that names it,
# and whatever it made of the moment in between is not in force afterwards.
. "${0%/*}/lib/lib.sh"
need PROGRAM git
need USERNS
quiet

ran_code=$outside/ran-code
printf '#!/bin/sh\n: >"%s"\n' "$ran_code" >"$outside/monitor"
chmod +x "$outside/monitor"
fsmonitor="[core]
fsmonitor = $outside/monitor
"
git=(git -C "$ws" -c safe.directory='*' -c user.name=x -c user.email=x@x)

fresh() {
	remove "$ws"
	mkdir "$ws"
	rm -f "$ran_code"
}

# A permission set: the workspace writable, PATH with another access.
set_of() {
	set=(-P it -c "permissions.it.filesystem={\":root\"=\"read\",\":workspace_roots\"=\"write\"${1:+,\"$1\"=\"$2\"}}")
}
usual=(-s workspace-write -c sandbox_workspace_write.exclude_slash_tmp=true)

# begin OPTION... -- COMMAND...: in the background, until it says that it began
begin() {
	ran="$(quoted "$@")"
	: >"$scratch/.out"
	"$SBX/sbx-run" -a never -C "$ws" "$@" >"$scratch/.out" 2>"$scratch/.err" &
	launcher=$!
	kill_later "$launcher"
	eventually 10 grep -q spinning "$scratch/.out" || why "it did not begin: $(cat "$scratch/.err")"
}
ended() {
	eventually 10 eval '! kill -0 "$launcher" 2>/dev/null' || { kill "$launcher"; why "had to be ended"; }
	wait "$launcher"
	status=$?
	err=$(cat "$scratch/.err")
}
# was_ended DESCRIPTION PATH HOW: the run is over, and says why, once
was_ended() {
	ended
	is "$1: the run ends with 125" "$status" 125
	like "$1: a line names it" "$err" "^sbx-(run|linux-sandbox): \"$2\" was $3 outside during the run; the command was ended\$"
	is "$1: one such line" "$(grep -c 'the command was ended' "$scratch/.err")" 1
}
wait_for_it=(sh -c 'echo spinning; sleep 20')

# ---- an attacker that spins -------------------------------------------------

# Control: without the sandbox the attacker wins at once.
"${git[@]}" init -q "$ws"
"$HELPER/spin" "$ws/.git/config" "$fsmonitor" >/dev/null &
spinner=$!
kill_later "$spinner"
eventually 10 grep -q monitor "$ws/.git/config"
kill -STOP "$spinner"
"${git[@]}" status >/dev/null 2>&1
kill -KILL "$spinner"
wait "$spinner" 2>/dev/null
ok "control: what the attacker plants is run by git" test -e "$ran_code"

policies() { find "$ws" -path '*/.codex/*' -o -path '*/.codex.sbx-*' -prune -false; }
for round in 1 2 3; do
	fresh
	"${git[@]}" init -q "$ws"
	begin "${usual[@]}" -- "$HELPER/spin" "$ws/.codex/config.toml" 'sandbox_mode = "danger-full-access"'
	"${git[@]}" clean -qfd
	was_ended "git clean, $round" "$ws/.(agents|codex)" '(replaced|removed or renamed)'
	is "git clean, $round: no policy is in force" "$(policies)" ""
done

for round in 1 2 3 4; do
	fresh
	"${git[@]}" init -q "$ws"
	cp "$ws/.git/config" "$outside/config"
	begin "${usual[@]}" --allow git -- "$HELPER/spin" "$ws/.git/config" "$fsmonitor"
	while kill -0 "$launcher" 2>/dev/null; do
		"${git[@]}" config x.y "$round" 2>/dev/null
	done &
	was_ended "git config, $round" "$ws/.git/config" '(replaced|removed or renamed)'
	wait
	"${git[@]}" status >/dev/null 2>&1
	ok "git config, $round: git runs nothing" absent "$ran_code"
	unlike "git config, $round: nothing planted is in force" "$(cat "$ws/.git/config")" monitor
	ok "git config, $round: the change is put aside" test -e "$(echo "$ws"/.git/config.sbx-*)"
	like "git config, $round: where it is, is said" "$err" "config\" was replaced during the run.* was renamed to config.sbx-[0-9a-f]{8}, and the old one is back"
done

# The same file again, by a second name that it had for a moment: only its mount is gone.
put_back() { python3 -c 'import os, sys; f, g = sys.argv[1:]; os.link(f, g); os.unlink(f); os.rename(g, f)' "$1" "$1.second"; }
if have PROGRAM python3; then
	for round in 1 2 3; do
		fresh
		"${git[@]}" init -q "$ws"
		begin "${usual[@]}" --allow git -- sh -c 'echo spinning; until echo "$1" >>.git/config; do :; done 2>/dev/null; sleep 20' sh "$fsmonitor"
		sleep 0.1
		put_back "$ws/.git/config"
		was_ended "put back, $round" "$ws/.git/config" '(replaced|removed or renamed|removed and put back)'
		"${git[@]}" status >/dev/null 2>&1
		ok "put back, $round: git runs nothing" absent "$ran_code"
		unlike "put back, $round: nothing planted is in force" "$(cat "$ws/.git/config")" monitor
	done
	fresh
	"${git[@]}" init -q "$ws"
	before=$(stat -c %i "$ws/.git/config")
	put_back "$ws/.git/config"
	is "control: what is put back is the same file" "$(stat -c %i "$ws/.git/config")" "$before"
fi

set_of "$ws/.env" none
for round in 1 2; do
	fresh
	echo "KEY=old" >"$ws/.env"
	chmod 640 "$ws/.env"
	begin "${set[@]}" -- "$HELPER/spin" "$ws/.env" 'export BASH_ENV=evil'
	echo "KEY=new" >"$ws/.env.tmp"
	mv "$ws/.env.tmp" "$ws/.env"
	was_ended "a hidden file is saved, $round" "$ws/.env" '(replaced|removed or renamed)'
	is "a hidden file, $round: what was there is back, with its mode" "$(cat "$ws/.env") $(stat -c %a "$ws/.env")" "KEY=old 640"
	like "a hidden file, $round: what was saved is kept" "$(cat "$ws"/.env.sbx-*)" '(KEY=new|evil)'
done

# ---- every way to lose a name ------------------------------------------------

fresh
mkdir "$ws/.codex"
begin "${usual[@]}" -- "${wait_for_it[@]}"
mv "$ws/.codex" "$ws/.codex.off"
was_ended "a directory is renamed away" "$ws/.codex" "removed or renamed"
is "renamed away: stays where it was put" "$(cd "$ws" && echo .c*)" .codex.off

fresh
mkdir "$ws/.codex"
begin "${usual[@]}" -- sh -c 'echo spinning; until mkdir .codex; do :; done; echo evil >.codex/config.toml; sleep 20'
mv "$ws/.codex" "$ws/.codex.off"
was_ended "a directory is renamed away and made anew" "$ws/.codex" "(replaced|removed or renamed)"
ok "made anew: not in force" absent "$ws/.codex/config.toml"

fresh
"${git[@]}" init -q "$ws"
begin "${usual[@]}" -- "${wait_for_it[@]}"
rm -rf "$ws/.git"
was_ended "a repository is removed" "$ws/.git" "removed or renamed"

fresh
mkdir -p "$ws/a/b"
"${git[@]}" init -q "$ws/a/b"
begin "${usual[@]}" -- sh -c 'echo spinning; until mkdir -p a/b/.git; do :; done; echo evil >a/b/.git/config; sleep 20'
mv "$ws/a" "$ws/was-a"
was_ended "the directory above a nested repository is renamed" "$ws/a" "(replaced|removed or renamed)"
ok "nested: a repository made in its place is not in force" absent "$ws/a/b/.git"
ok "nested: the old one is where it was put" test -e "$ws/was-a/b/.git/HEAD"

fresh
mkdir "$ws/own" "$ws/other"
ln -s own "$ws/.codex"
begin "${usual[@]}" -- sh -c 'echo spinning; until ln -sfn other .codex; do :; done; sleep 20'
ln -s own "$ws/.new"
mv -T "$ws/.new" "$ws/.codex"
was_ended "a protected link is replaced" "$ws/.codex" "(replaced|removed or renamed)"
is "a link: leads where it led" "$(readlink "$ws/.codex")" own

fresh
echo "KEY=old" >"$ws/.env"
begin "${set[@]}" -- "${wait_for_it[@]}"
rm "$ws/.env"
was_ended "a hidden file is removed" "$ws/.env" "removed or renamed"

fresh
mkdir "$ws/sub"
echo secret >"$outside/secret"
set_of "$outside/secret" none
begin "${set[@]}" -- "${wait_for_it[@]}"
echo secret >"$outside/secret.new"
mv "$outside/secret.new" "$outside/secret"
was_ended "what is hidden in a read-only place is replaced" "$outside/secret" "replaced"
is "in a read-only place: nothing is put aside" "$(cd "$outside" && echo secret*)" secret

# The command closes the directory that it planted in.
fresh
begin "${usual[@]}" -- sh -c 'echo spinning; until mkdir .codex 2>/dev/null; do :; done; echo evil >.codex/config.toml; chmod 555 .; sleep 20'
rmdir "$ws/.codex"
was_ended "the command closes the directory" "$ws/.codex" "(replaced|removed or renamed)"
ok "closed: what it made is not in force" absent "$ws/.codex"
chmod 755 "$ws"

if have ROOT && unshare -m true 2>/dev/null; then
	fresh
	mkdir "$ws/.codex" "$outside/over"
	unshare -m --propagation private bash -c '
		ws=$1 over=$2 err=$3
		shift 3
		"$@" >"$err.out" 2>"$err" &
		while ! grep -q spinning "$err.out" 2>/dev/null; do sleep 0.02; done
		mount --bind "$over" "$ws/.codex"
		wait $!
		echo $? >"$err.status"' - "$ws" "$outside/over" "$scratch/.mounted" \
		"$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- "${wait_for_it[@]}"
	is "mounted over: the run ends with 125" "$(cat "$scratch/.mounted.status")" 125
	like "mounted over: a line names it" "$(cat "$scratch/.mounted")" "\"$ws/.codex\" was replaced outside during the run"
else
	skip "mounted over" "needs root"
fi

# ---- what is not touched does not end anything ---------------------------------

fresh
"${git[@]}" init -q "$ws"
before=$(cd "$ws" && find . | sort)
boxed true
is "nothing happens outside: status" "$status" 0
is "nothing happens outside: not a word" "$err" ""
is "nothing happens outside: nothing is written" "$(cd "$ws" && find . | sort)" "$before"
begin "${usual[@]}" --allow git -- sh -c 'echo spinning; until test -e done; do sleep 0.05; done; exit 7'
echo x >"$ws/file"
"${git[@]}" add file
"${git[@]}" commit -qm message
"${git[@]}" branch other
"${git[@]}" checkout -q other
"${git[@]}" repack -qad
touch "$ws/.git/config"
chmod 600 "$ws/.git/config"
sleep 0.5
: >"$ws/done"
ended
is "git works outside without touching what is protected: the run goes on" "$status" 7
is "... and says nothing" "$err" ""

# ---- how it is told ------------------------------------------------------------

fresh
mkdir "$ws/.codex"
"$SBX/sbx-run" -a never -C "$ws" "${usual[@]}" --json -- sh -c ': >began; sleep 20' >"$scratch/.out" 2>/dev/null &
launcher=$!
kill_later "$launcher"
eventually 10 test -e "$ws/began"
mv "$ws/.codex" "$ws/.codex.off"
wait "$launcher"
json=$(tail -n 1 "$scratch/.out")
is "the document: whose failure it is" "$(jq -r '[.result.exit_code,.result.outcome,.result.denied]|map(tostring)|join(" ")' <<<"$json" 2>/dev/null)" "125 failed false"

# ---- a protected name in a directory that is missing too -------------------------

fresh
set_of "$ws/a/keep" read
make_it=(sh -c 'chmod 755 a; mkdir -p a/keep && echo evil >a/keep/x')
run_sbx "${set[@]}" -a never -C "$ws" -- "${make_it[@]}"
ok "a name in a missing directory cannot be made" absent "$ws/a/keep"
ok "... and no stub is left" absent "$ws/a"
set_of
run_sbx "${set[@]}" -a never -C "$ws" -- "${make_it[@]}"
ok "control: without the entry it can" test -d "$ws/a/keep"
finish
