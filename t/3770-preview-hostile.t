#!/bin/bash
# What a hostile command leaves in a preview, or somebody puts in its way on the host, never
# changes anything outside of the writable roots, nor what is protected in them.
. "${0%/*}/lib/lib.sh"
need USERNS
need OVERLAY
git_home
echo fine >"$outside/file"
mkdir "$outside/dir"
kept=$(state "$outside")
try=("$SBX/sbx-run" --preview -a never --report off -C "$ws")
id() { "$SBX/sbx-run" --changes | head -n 1 | cut -d ' ' -f 1; }
fresh() {
	! exists "$ws" || remove "$ws"
	! exists "$HOME/.local/state/sbx" || remove "$HOME/.local/state/sbx"
	mkdir "$ws" "$ws/d"
	echo old >"$ws/f"
	echo old >"$ws/d/f"
}
apply() { run env -C "$ws" "$SBX/sbx-run" --apply "$(id)" "$@"; }

fresh
"${try[@]}" -- sh -c 'ln -s "$0" out; ln -s "$0/file" outf; rm -r d; ln -s "$0/dir" d; ln -s / root; mkfifo p
	: >"$(printf "a\nb")"; : >"$(printf "\377\033[2J")"; : >-rf; : >" "; mkdir .sbx-apply-x; ln -s "$0/file" .sbx-apply-x/0.new' "$outside"
apply
is "links come as links" "$status $(readlink "$ws/out" "$ws/d" "$ws/root")" "0 $outside
$outside/dir
/"
is "... and are not followed" "$(state "$outside")" "$kept"
is "names of any bytes" "$(cd "$ws" && for name in $'a\nb' $'\377\033[2J' -rf ' '; do [ -f "./$name" ] && echo there; done | wc -l)" 4

# A link that comes to the host between the run and the apply.
swap() { # DESCRIPTION COMMAND SWAP...: the swap is made in the workspace
	local what=$1 work=$2
	shift 2
	fresh
	"${try[@]}" -- sh -c "$work"
	(cd "$ws" && "$@")
	apply --force
	is "$what: nothing outside" "$(state "$outside")" "$kept"
	restore_outside
}
restore_outside() { [ "$(state "$outside")" = "$kept" ] || { rm -rf "$outside" && mkdir -p "$outside/dir" && echo fine >"$outside/file"; }; }
swap "a directory became a link" 'echo evil >d/file; echo evil >d/new' sh -c 'rm -r d && ln -s "$0" d' "$outside"
swap "a file became a link" 'echo evil >f' sh -c 'rm f && ln -s "$0/file" f' "$outside"
swap "a new name is a link" 'echo evil >new' ln -s "$outside/file" new
swap "a new directory is a link" 'mkdir n; echo evil >n/file; rm d/f' ln -s "$outside" n
# What is on its way is in no reach of a command that may do less: one that began before waits
# until all is staged, and looks for it.  In a home of another file system, too.
fresh
"${try[@]}" -- sh -c 'echo new >f'
"$HELPER/fault" "$scratch/points" 20 - "$SBX/sbx-run" --apply "$(id)" >"$scratch/.ok" 2>&1
writer=$(awk '$3 == "renameat2" {print $1; exit}' "$scratch/points")
cat >"$scratch/look" <<'END'
: >ready
until [ -e go ]; do sleep 0.02; done
find "$1" "$2" -path "*/.sbx-apply-*" -type f >files
while read -r file; do
	grep key "$file" >>stolen
	cmp -s "$file" .git/HEAD && ln -sf "$3" "$file" && : >planted
done <files
: >done
END
mkdir "$scratch/.sbx-apply-known"
echo key of the control >"$scratch/.sbx-apply-known/file"
beside() {
	fresh
	git -C "$ws" init -q
	echo plain >"$ws/.env"
	"${try[@]}" --allow git -- sh -c 'echo key >.env; cp .git/HEAD .git/refs/new'
	"$SBX/sbx-run" -s workspace-write -a never --report off -C "$ws" --hide "$ws/.env" -- \
		sh "$scratch/look" "$scratch" "${XDG_STATE_HOME-$HOME}" "$outside/file" >/dev/null 2>&1 &
	eventually 10 exists "$ws/ready"
	FAULT_RUN=": >$ws/go; until [ -e $ws/done ] || ! kill -0 $!; do sleep 0.02; done" \
		"$HELPER/fault" "$scratch/result" 20 "$writer:renameat2:1:RUN" "$SBX/sbx-run" --apply "$(id)" >"$scratch/.ok" 2>&1
	wait
	result=$(cd "$ws" && ls planted "done" 2>/dev/null; cat stolen; cmp .git/refs/new .git/HEAD && echo applied)
}
on_shm() {
	tmp=$(mktemp -d /dev/shm/sbx-t.XXXXXX) || exit 1
	tmpdirs+=("$tmp")
	export XDG_STATE_HOME=$tmp
}
found="done
key of the control
applied"
if [ -n "$writer" ]; then
	beside
	is "what is staged is not found by a command that runs beside it" "$result" "$found"
	on_shm
	if "${try[@]}" -- true 2>/dev/null; then
		beside
		is "... nor where what is kept is on another file system" "$result" "$found"
	fi
	unset XDG_STATE_HOME
fi
# Without a place for it outside of the workspace what is protected stays.
if have ROOT; then
	on_shm
	fresh
	git -C "$ws" init -q
	if "${try[@]}" --allow git -- sh -c 'cp .git/HEAD .git/refs/new; echo new >f' 2>/dev/null; then
		within() { run unshare -m sh -c 'mount --bind . . && cd / && cd "$OLDPWD" && "$@"' - "$SBX/sbx-run" --apply "$(id)" "$@"; }
		cd "$ws" || exit 1
		within
		like "a workspace that is a file system of its own: no change of a protected name" "$status $err" "^125 .*/.git/refs/new\": the file system"
		within "$ws/f"
		is "... of others, yes" "$status $(cat f; ls -A)" "0 new
.git
d
f"
		cd / || exit 1
	fi
	unset XDG_STATE_HOME
fi
fresh
"${try[@]}" -- sh -c 'echo new >f'
stage=$HOME/.local/state/sbx/previews/.sbx-apply-$(id)
mkdir "$stage"
echo mine >"$stage/file"
apply
is "a directory of somebody's in the place of the stage stays, nothing is applied" "$status $(cat "$stage/file" "$ws/f")" "125 mine
old"
rm -r "$stage"
apply
is "... and when it is gone, all is" "$status $(cat "$ws/f")" "0 new"

# Another version control's repository: what runs programs does not come, the rest does.
fresh
"${try[@]}" -- sh -c 'mkdir -p .hg/store _darcs/prefs; echo store >.hg/requires; echo x >_darcs/prefs/boring'
apply
is "a new repository comes, as hg and darcs make it" "$status $(cat "$ws/.hg/requires" "$ws/_darcs/prefs/boring")" "0 store
x"
for settings in .hg/hgrc .hg/sharedpath _darcs/prefs/defaults; do
	fresh
	"${try[@]}" -- sh -c 'mkdir -p "$(dirname "$0")"; echo evil >"$0"' "$settings"
	apply
	is "... with $settings it does not" "$status$(ls -A "$ws")" "126d
f"
done

# Protected names: in the copy they are what they are, and what became protected since counts.
fresh
git -C "$ws" init -q
before=$(state "$ws/.git")
"${try[@]}" -- sh -c 'echo evil >.git/hooks/post-checkout; rm -rf .git; mv .git g; mkdir -p .codex/x .agents; echo x >ok' 2>/dev/null
apply
is "a protected repository is as it was" "$status $(state "$ws/.git")" "0 $before"
ok "... and names that do not exist do not come to be" absent "$ws/.codex"
fresh
"${try[@]}" -- sh -c 'mkdir -p sub/.git/hooks; echo evil >sub/.git/hooks/post-checkout; echo ref: refs/heads/x >sub/.git/HEAD'
git init -q "$ws/sub"
apply --force
like "a repository that came to the host meanwhile is protected" "$status $err" "^12[56] .*sub/\.git/.*(protected|a part of a repository)"
ok "... wholly" absent "$ws/sub/.git/hooks/post-checkout"
# What git would follow or run is not applied even where the run may write it.
for name in objects/info/alternates objects/info/http-alternates rebase-merge/git-rebase-todo worktrees/w/commondir; do
	fresh
	git -C "$ws" init -q
	"${try[@]}" --allow git -- sh -c 'mkdir -p ".git/$(dirname "$0")" && echo evil >".git/$0"' "$name"
	apply
	like "with --allow git, not $name" "$status $err" "^126 .*/\\.git/[^\"]*\": is (a part of a repository|protected)"
done
fresh
"${try[@]}" -- sh -c 'mkdir objects refs; echo "ref: refs/heads/x" >HEAD; printf "[core]\n\tfsmonitor = evil\n" >config'
apply
like "a workspace does not become a bare repository" "$status $err" "^126 .*HEAD\": makes a git repository"
ok "... nothing of it" absent "$ws/config"

# Programs that run as somebody else.
fresh
chmod 755 "$ws/f"
"${try[@]}" -- sh -c 'chmod u+s f; cp f g; chmod 4755 g; true' 2>/dev/null
apply
is "no set-user-id comes out" "$(find "$ws" -perm /4000)" ""
# ... and not from a state that somebody has been at.
fresh
"${try[@]}" -- sh -c 'echo x >g'
chmod 4755 "$HOME/.local/state/sbx/previews/$(id)/0/upper/g"
apply
like "nor from the state" "$status $err" "^126 .*set-user-id"
if have ROOT; then
	mknod "$HOME/.local/state/sbx/previews/$(id)/0/upper/null" c 1 3
	rm "$HOME/.local/state/sbx/previews/$(id)/0/upper/g"
	apply --force
	like "nor a device" "$status $err" "^126 .*is a device"
fi
# What is hidden is neither seen nor removed.
fresh
mkdir "$ws/secret"
echo key >"$ws/secret/key"
"${try[@]}" --hide "$ws/secret" -- sh -c 'cat secret/key; rm -rf secret; mv secret s; echo done >done' 2>/dev/null
run env -C "$ws" "$SBX/sbx-run" --apply "$(id)"
is "what is hidden stays" "$status $(cat "$ws/secret/key" "$ws/done")" "0 key
done"

# The place of all that, behind a link in a workspace: a command that turned it would plant
# a journal, and the next run, outside, would undo what it says.
other=$scratch/linked
mkdir -p "$other/home/.local" "$other/store" "$other/ws"
ln -s "$other/store" "$other/ws/turned"
ln -s "$other/ws/turned" "$other/home/.local/state"
cat >"$other/plant" <<'END'
rm turned && mkdir -p evil/sbx/previews/journals && chmod -R 700 evil && ln -s evil turned || exit 9
umask 077
printf '%s\n' '{"changing":true}' "{\"do\":\"in\",\"path\":\"$1\",\"stage\":\"$PWD\",\"number\":0,\"old\":0,\"new\":$(stat -c %i "$1"),\"was\":[0,0,0,0,0]}" >evil/sbx/previews/journals/1-1-1
END
echo precious >"$other/file"
run env -C "$other/ws" HOME="$other/home" sh "$other/plant" "$other/file"
run env HOME="$other/home" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- true
ok "control: a planted journal is believed" absent "$other/file"
rm -r "$other/ws/turned" "$other/ws/evil"
ln -s "$other/store" "$other/ws/turned"
echo precious >"$other/file"
run env HOME="$other/home" "$SBX/sbx-run" -s workspace-write -a never -C "$other/ws" -- sh "$other/plant" "$other/file"
isnt "a link that leads to what sbx keeps is not turned" "$status" 0
is "... and stays what it was" "$(readlink "$other/ws/turned")" "$other/store"
run env HOME="$other/home" "$SBX/sbx-run" -s workspace-write -a never -C "$ws" -- true
is "... nor does the next run do what a command wrote" "$status $(cat "$other/file")" "0 precious"
finish
