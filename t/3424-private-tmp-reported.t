#!/bin/bash
# Denials are reported as the command sees its paths: what the host has in /tmp
# is not taken for what is in the private one, and no private path is named.
. "${0%/*}/lib/lib.sh"
need USERNS
need OBSERVER
in_tmp
name=${tmp##*/}
tmpdirs+=("$tmp-d" "$tmp-l" "$tmp-out")
report() {
	run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --json -- sh -c "$1"
	denials=$(jq -r '[.result.denials[] | .path] | unique | join(" ")' "$scratch/.out")
}
ln -s /etc "$tmp/link"
ln -s /etc/passwd "$tmp/file"
report "mkdir -p $tmp/link; echo x >$tmp/link/new; echo x >$tmp/file"
is "links of the host's /tmp mislead nobody" "$denials" ""
ok "control: the command itself did it all" test "$(jq .result.exit_code "$scratch/.out")" = 0
report "ln -sfn $outside /tmp/$name-out; echo x >/tmp/$name-out/new"
is "a link out of the private one is followed" "$denials" "$outside/new"
report "mkdir /tmp/$name-d; ln -s ../$name-out /tmp/$name-d/l; ln -s /tmp/$name-d/l /tmp/$name-l; cd /tmp/$name-d; echo x >l/a; echo x >/tmp/$name-l/b"
is "so are several, from any directory" "$denials" "$outside/a $outside/b"
report "cd /tmp/$name-d; echo x >../y; : >../$name-d/z; mv z zz; rm zz; mkdir -p q/r; rm -r q; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"/tmp/$name-d/sock\")' 2>/dev/null; :"
is "what is done within is no denial" "$denials" ""
unlike "no private path is named" "$(cat "$scratch/.out")" '/\.sbx-[0-9]+/'
report "echo x >$outside/new"
is "control: denials elsewhere are reported" "$denials" "$outside/new"

mkdir "$tmp/cwd"
at_doc=$("$SBX/sbx-policy" -C "$ws" -s workspace-write -a never -- sh -c 'echo x >new' | jq -c --arg d "$tmp/cwd" '.command.cwd = $d' |
	"$SBX/sbx-approve" | "$SBX/sbx-select" | "$SBX/sbx-wrap" | "$SBX/sbx-run" --exec --json 2>/dev/null)
is "a denial in the host's part is reported at its path" "$(jq -r '.result.denials[0].path' <<<"$at_doc")" "$tmp/cwd/new"
run "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --learn -- sh -c "echo x >/tmp/$name-out/new; : >/tmp/x"
like "--learn names what is missing" "$out$err" "$outside"
unlike "... and nothing private" "$out$err" '/\.sbx-[0-9]+/'

# A file that was made outside is not found inside, and the reason is said.
set_box --report human
hint="without the host's $tmp/made"
: >"$tmp/made"
boxed cat "$tmp/made"
like "an argument that only the host's /tmp has is named when the run fails" "$status ${err//$'\n'/ }" "^1 .*$hint; --tmp shared"
boxed "$tmp/made"
like "... also when it is the command" "$status ${err//$'\n'/ }" "^127 .*$hint"
boxed true "$tmp/made"
is "a run that succeeds says nothing" "$status $err" "0 "
boxed cat "$tmp/never-made"
unlike "nor does one that fails for another reason" "$err" "--tmp shared"
set_box --report human --add-dir "$tmp"
boxed sh -c 'exit 3' sh "$tmp/made"
is "nor one that was given the directory" "$status $err" "3 "
set_box --report human --tmp shared
boxed sh -c 'exit 3' sh "$tmp/made"
is "nor one with the host's /tmp" "$status $err" "3 "
set_box --report human
forged=$tmp/$'x\nsbx-run: forged'
: >"$forged"
boxed cat "$forged"
unlike "no row of a name looks like ours" "$err" "^sbx-run: forged"
finish
