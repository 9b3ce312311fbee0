#!/bin/bash
# What a person names below the host's /tmp is there at its own path: the
# workspace, roots, the working directory, sockets, grants; and no more.
. "${0%/*}/lib/lib.sh"
need USERNS
in_tmp
mkdir "$tmp/ws" "$tmp/more" "$tmp/cwd" "$tmp/deep" "$tmp/deep/er"
: >"$tmp/beside"
echo seen >"$tmp/cwd/file"

at() {
	local dir=$1
	shift
	run "$SBX/sbx-run" -s workspace-write -a never -C "$dir" "$@"
}
at "$tmp/ws" -- sh -c 'pwd; : >new; echo x >>.git/x; mkdir .codex/x; : >"/tmp/sbx-t-private-$0"' $$
is "a workspace below /tmp works at its own path" "$(head -1 <<<"$out")$(ls -A "$tmp/ws")" "$tmp/ws"new
ok "... in a /tmp that is private" sh -c "! test -e /tmp/sbx-t-private-$$"
at "$tmp/ws" -- sh -c "ls $tmp; echo x >$tmp/beside; rm -r $tmp/more"
is "... without what lies beside it" "$out" ws
is "... which is not changed" "$(ls "$tmp")$(cat "$tmp/beside")" "$(printf 'beside\ncwd\ndeep\nmore\nws')"
at "$tmp/ws" -- sh -c "mv $tmp/ws $tmp/away; mv $tmp /tmp/away; rmdir /tmp/away/ws; rm -f $tmp"
ok "... whatever is done to its name inside" test -e "$tmp/ws/new"
git -C "$tmp/ws" init -q 2>/dev/null
at "$tmp/ws" -- sh -c "mv $tmp /tmp/x; cd /tmp/x/ws && echo hostile >.git/hooks/post-checkout; mv .git g"
ok "... and what is protected in it stays so" absent "$tmp/ws/.git/hooks/post-checkout"
ok "... at its place" test -d "$tmp/ws/.git"

at "$ws" --add-dir "$tmp/more" -- sh -c "echo x >$tmp/more/file; ls $tmp"
is "a directory that was added is there" "$out$(cat "$tmp/more/file")" morex
at "$ws" -c "sandbox_workspace_write.writable_roots=[\"$tmp/deep/er\"]" -- sh -c ": >$tmp/deep/er/file; : >$tmp/deep/file"
ok "a configured root is there" test -e "$tmp/deep/er/file"
ok "... and its parent is not" absent "$tmp/deep/file"

doc=$("$SBX/sbx-policy" -C "$ws" -s workspace-write -a never -- sh -c 'cat file; pwd; : >new' | jq -c --arg d "$tmp/cwd" '.command.cwd = $d')
run_doc() { run sh -c "'$SBX/sbx-approve' | '$SBX/sbx-select' | '$SBX/sbx-wrap' | '$SBX/sbx-run' --exec" <<<"$1"; }
run_doc "$doc"
is "a working directory that is no root is there" "$out" $'seen\n'"$tmp/cwd"
is "... to be read" "$(ls "$tmp/cwd")" file
ln -s cwd "$tmp/link"
run_doc "$(jq -c --arg d "$tmp/link" '.command.cwd = $d' <<<"$doc")"
is "... also by a link of the host's" "$(head -1 <<<"$out")" seen

run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --add-dir /tmp -- sh -c "echo x >>$tmp/beside"
is "who names /tmp itself gets the host's" "$(cat "$tmp/beside")" x
at /tmp -- sh -c "echo x >>$tmp/beside"
is "and so does who works in it" "$(cat "$tmp/beside")" $'x\nx'
is "the policy says so" "$("$SBX/sbx-policy" -C /tmp -s workspace-write -- true | jq -r .policy.tmp)" shared

# A socket that may be connected to.
if have OBSERVER; then
	listen "unix-stream:$tmp/sock"
	unheard "a socket in the host's /tmp" "$TRY" unix-send connect socket stream "$tmp/sock"
	deaf
	set_box -c "sandbox_workspace_write.unix_sockets=[\"$tmp/sock\"]"
	boxed "$TRY" unix-send connect socket stream "$tmp/sock"
	set_box
	isnt "one that is listed is reached at its own path" "$(heard)" ""
fi

# A grant.
grant() {
	"$SBX/sbx-policy" -C "$ws" -s workspace-write -a never -- "${@:2}" |
		jq -c --argjson g "$1" '.approval = {decision: "approved", required: true, by: "user", reason: "x", key: "x", command_class: "unknown", grant: $g}' |
		"$SBX/sbx-select" | "$SBX/sbx-wrap" | "$SBX/sbx-run" --exec >"$scratch/.g" 2>&1
}
grant "{\"write\":[\"$tmp/more\"]}" sh -c "echo y >$tmp/more/file; mkdir $tmp/more/.git/x"
is "a directory that was granted is there" "$(cat "$tmp/more/file")$(ls -A "$tmp/more")" yfile
grant "{\"read\":[\"$tmp/more\"]}" sh -c "cat $tmp/more/file; echo z >$tmp/more/file"
is "... or to be read" "$(head -1 "$scratch/.g")$(cat "$tmp/more/file")" yy
grant "{\"write\":[\"/tmp/.sbx-$(id -u)\"]}" ls "/tmp/.sbx-$(id -u)"
like "the place of the private ones is never granted" "$(cat "$scratch/.g")" 'belongs to sbx itself and cannot be granted'
at "/tmp/.sbx-$(id -u)" -- true
like "nor is it a workspace" "$status $err" '^125 .*private directories of sbx'

# $TMPDIR
for value in "$tmp/deep" "$tmp/missing/deeper" /tmp; do
	run env TMPDIR="$value" "${box[@]}" sh -c 'mktemp; touch $TMPDIR/x; ls $TMPDIR'
	like "TMPDIR=${value/$tmp/TMP}: mktemp works inside" "$status $out" "^0 $value/"
done
is "... and nothing of it is the host's" "$(ls "$tmp/deep")" er
ok "... or made there" absent "$tmp/missing"
run env TMPDIR="$tmp/ws/t" "$SBX/sbx-run" -s workspace-write -a never -C "$tmp/ws" -- sh -c 'mkdir -p $TMPDIR; : >$TMPDIR/x'
ok "in a workspace it is the host's" test -e "$tmp/ws/t/x"

# Leftovers of a hostile run at the names that are needed next.  Where /tmp is
# not private, they would be the machine's.
mkdir "$outside/target"
hostile() {
	at "$ws" -- sh -c "[ ! -e $tmp/beside ] || exit 1; chmod -R u+rwx /tmp/* 2>/dev/null; rm -rf $tmp; $1" >/dev/null
	at "$ws" --add-dir "$tmp/more" -- sh -c "echo $2 >$tmp/more/file"
	is "a name taken by $2 does no harm" "$status$(cat "$tmp/more/file")$(ls "$outside/target")" "0$2"
}
hostile "ln -s $outside/target $tmp" link
hostile "mkdir $tmp; ln -s $outside/target $tmp/more" link-below
hostile ": >$tmp" file
hostile "mkfifo $tmp" pipe
hostile "mkdir $tmp; mkfifo $tmp/more" pipe-below
hostile "mkdir -p $tmp/more/x; chmod 0 $tmp/more $tmp" closed
hostile "chmod 0 /tmp" all-closed
hostile "chmod 777 /tmp" all-open
boxed stat -c %a /tmp
is "it is 0700 again" "$out" 700
finish
