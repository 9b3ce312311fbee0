#!/bin/bash
# The directory a command asks to start in never becomes writable by that.
. "${0%/*}/lib/lib.sh"

write='echo escaped >"$1/escaped"'

# The policy is that of $ws; the document names another directory.
document() {
	jq -cn --arg cwd "$1" --arg write "$write" --arg to "$2" \
		'{sbx:1,command:{argv:["/bin/sh","-c",$write,"sh",$to],cwd:$cwd}}'
}
pipeline() {
	"$SBX/sbx-approve" | "$SBX/sbx-select" | "$SBX/sbx-wrap" | "$SBX/sbx-run" --exec
}

run sh -c "$write" sh "$outside"
ok "control: the write works without a sandbox" test -e "$outside/escaped"
rm -f "$outside/escaped"

from_document() {
	document "$1" "$2" | "$SBX/sbx-policy" -s workspace-write -a never -C "$ws" | pipeline
}
run from_document "$ws" "$ws"
ok "control: a document that starts in the workspace writes there" test -e "$ws/escaped"
rm -f "$ws/escaped"
run from_document "$outside" "$outside"
ok "a document with another cwd does not write in it" absent "$outside/escaped"

# Changed behind the policy's back, between the stages.
moved() {
	"$SBX/sbx-policy" -s workspace-write -a never -C "$ws" -- \
		/bin/sh -c "$write" sh "$outside" |
		jq -c --arg cwd "$outside" '.command.cwd=$cwd' | pipeline
}
run moved
ok "a cwd changed after the policy was made is not writable" absent "$outside/escaped"

# A symlink in the workspace that leads out of it is not the workspace.
ln -s "$outside" "$ws/link"
run from_document "$ws/link" "$outside"
ok "a cwd that is a link to outside is not writable" absent "$outside/escaped"

# The caller's own working directory grants nothing when -C names another.
(cd "$outside" && "${box[@]}" sh -c "$write" sh "$outside" 2>/dev/null)
ok "the caller's working directory is not writable when -C names another" absent "$outside/escaped"

# A directory left open by the caller, by its number: CVE-2024-21626
through_fd() {
	exec 9<"$outside"
	document "/proc/self/fd/9" . | "$SBX/sbx-policy" -s workspace-write -a never -C "$ws" | pipeline
	local code=$?
	exec 9<&-
	return "$code"
}
run through_fd
isnt "a cwd below /proc/self/fd does not run" "$status" 0
ok "and writes nothing" absent "$outside/escaped"

# Relative paths that climb out of the place where the command starts.
mkdir "$ws/deep"
run_sbx -s workspace-write -a never -C "$ws" -- sh -c 'cd deep && echo x >../../outside/escaped'
ok ".. does not lead to a writable place" absent "$outside/escaped"
finish
