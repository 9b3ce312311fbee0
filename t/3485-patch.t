#!/bin/bash
# A patch is judged by its files and approved with its words: another command
# with the same files is another question, and in the sandbox the files are all
# that it can write.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
. "$TESTS/lib/approver.sh"
need SANDBOX
export CODEX_HOME=$scratch/codex TERM=dumb
mkdir -p "$CODEX_HOME"
screen=$HELPER/screen

# in_session DOCUMENT JQ-FILTER...: who decides about the document as each filter
# changes it, one after the other in one session: $out
in_session() {
	local document=$1
	shift
	{
		printf 'a() { jq -c "$1" <<<%q | %q 2>/dev/null | jq -r .approval.by; }\n' "$document" "$SBX/sbx-approve"
		printf 'a %q\n' "$@"
	} >"$scratch/session"
	run "$SBX/sbx-approve" --serve --approver "$scratch/approver" -- bash "$scratch/session"
}

# Two patches of the same file in one session.
patch=$(doc '.command.tool = "patch" | .command.files = [$ws + "/a"] | .command.argv = ["apply", "one"]')
answer '{"decision":"approved_for_session"}'
in_session "$patch" . . '.command.argv = ["sh", "-c", "evil"]' '.command.argv = ["apply", "two"]' \
	'.command.escalate = true' '.command.cwd = "/"'
is "approved for the session: those words, in that place, in the sandbox" "$(xargs <<<"$out")" \
	"approver cache approver approver approver approver"
answer "{\"decision\":\"approved\",\"grant_root\":\"$ws\"}"
in_session "$patch" . '.command.argv = ["apply", "two"]' '.command.argv = ["sh", "-c", "evil"]' \
	'.command.escalate = true' '.policy.permissions.network = "on"'
is "a directory is given to one program, in the sandbox, under one policy" "$(xargs <<<"$out")" \
	"approver cache approver approver approver"

# A yes to one denial is none to another, nor to leaving the sandbox.
denied=$(doc ".result = {denied: true, denials: [{op: \"write\", path: \"$outside\", syscall: \"openat\"}]}")
answer '{"decision":"approved_for_session"}'
in_session "$denied" . . '.result.denials[0].path = "/var"' 'del(.result) | .command.escalate = true'
is "a yes to what was denied covers just that" "$(xargs <<<"$out")" "approver cache approver approver"

# The question shows what runs and what changes.
jq -c '.command.argv = ["apply_patch", "*** Begin Patch\n+evil line\n*** End Patch"]' <<<"$patch" >"$scratch/doc"
printf '#!/bin/sh\nexec "%s" <"%s" 2>/dev/null >"%s"\n' "$SBX/sbx-approve" "$scratch/doc" "$scratch/result" >"$scratch/ask"
chmod +x "$scratch/ask"
rows=$("$screen" 80 80 n 'abort ' -- "$scratch/ask")
like "its words" "$rows" 'command +apply_patch'
like "its lines, each marked" "$rows" '^ +\| \+evil line$'
like "its files" "$rows" "changes +$ws/a"
jq -c '.command.argv = ["apply_patch", ([range(400) | "line \(.)"] | join("\n"))]' <<<"$patch" >"$scratch/doc"
rows=$("$screen" 80 80 vn 'abort ' -- "$scratch/ask")
like "v shows all of it" "$rows" '^ +\| line 200$'

# run_patch FILES SCRIPT: runs it as a patch in the sandbox, approved
run_patch() {
	run pipe "$@"
}
pipe() {
	"$SBX/sbx-policy" -s workspace-write -a "${policy-never}" -C "$ws" ${tmpless+-c sandbox_workspace_write.exclude_slash_tmp=true} -- sh -c "$2" |
		jq -c --argjson f "$1" '.command.tool = "patch" | .command.files = $f' |
		"$SBX/sbx-approve" ${approver:+--approver "$approver"} | "$SBX/sbx-select" | "$SBX/sbx-wrap" | "$SBX/sbx-run" --exec
}
mkdir "$ws/.git" "$ws/sub"
echo old >"$ws/a"
echo old >"$ws/b"
run_patch "[\"$ws/a\"]" "echo new >a; echo new >b; echo new >c; echo new >sub/d; echo x >/tmp/${scratch##*/}; rm b; mv b e"
is "the file of the patch is written" "$(cat "$ws/a")" new
is "nothing else is" "$(cat "$ws/b") $(cd "$ws" && echo * sub/*)" "old a b sub sub/*"
ok "not even /tmp" absent "/tmp/${scratch##*/}"
rm -f "/tmp/${scratch##*/}"
run_patch "[\"$ws/new\",\"$ws/deep/er/new\",\"$ws/not\"]" 'echo 1 >new; mkdir -p deep/er; echo 2 >deep/er/new; echo 3 >deep/other; : >empty'
is "files that are not there yet can be made" "$status $(cat "$ws/new" "$ws/deep/er/new" | xargs)" "2 1 2"
ok "and no others" absent "$ws/deep/other"
ok "what it left alone is taken back" absent "$ws/not"
run_patch "[\"$ws/empty\"]" ': >empty'
ok "an empty file that it made stays" exists "$ws/empty"
run_patch "[\"$ws/gone/x\"]" 'true'
ok "a directory that it did not use is taken back" absent "$ws/gone"
run_patch '["relative"]' 'echo r >relative'
is "a relative name is one of its directory" "$(cat "$ws/relative")" r
tmpless=1 run_patch "[\"$ws/sub\"]" 'echo x >sub/x'
ok "a directory is no file" absent "$ws/sub/x"

# never: beyond the roots and on protected names it is refused; otherwise it runs.
ln -s "$outside" "$ws/link"
for file in "$outside/x" "$ws/.git/config" "$ws/.codex/config.toml" "$ws/../outside/x" "$ws/link/x"; do
	run_patch "[\"$ws/a\",\"$file\"]" "echo evil >a; echo evil >\"$file\""
	is "never: ${file#"$scratch/"} is refused" "$(cat "$ws/a")" new
	like "... by name" "$err" 'protected or outside'
	ok "... and not written" absent "$file"
done
answer '{"decision":"approved"}'
approver=$scratch/approver policy=on-request run_patch "[\"$ws/a\",\"$ws/.git/config\"]" 'echo asked >a; echo evil >.git/config'
is "otherwise it is asked about" "$(cat "$ws/a")" asked
ok "and a protected name stays protected" absent "$ws/.git/config"
finish
