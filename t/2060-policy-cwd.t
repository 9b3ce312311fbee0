#!/bin/bash
# The workspace is chosen by the caller; a document's cwd is never a root.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"

# stream JSON OPTION...: from the workspace
stream() {
	local text=$1
	shift
	printf '%s' "$text" >"$scratch/in"
	run bash -c 'cd "$1" && shift && exec "$@" <"$0"' "$scratch/in" "$ws" "$SBX/sbx-policy" "$@"
}
doc() { jq -nc --arg d "$1" '{sbx:1,command:{argv:["true"],cwd:$d}}'; }

stream "$(doc "$outside")" -s workspace-write
is "a cwd outside runs" "$status$(ask .command.cwd)" "0$outside"
entry_is "$outside" absent
entry_is "$ws" write
is "trust is about the workspace" "$(ask .policy.trust.path)" "$ws"
stream "$(doc "$ws")" -s workspace-write -C "$outside"
is "-C is the workspace of a stream" "$(entry "$outside")$(entry "$ws")" writeabsent
stream "$(doc "$scratch/none")" -s workspace-write
is "missing cwd in a document" "$status$(ask '[.error.exit,.error.stage,.policy]')" '3[3,"sbx-policy",null]'
stream "$(doc /proc/self/fd/0)" -s workspace-write
like "cwd on a descriptor in a document" "$status $err" '^3 .*link of /proc'
stream "$(doc /proc/self/root/etc)" -s workspace-write
is "cwd through /proc/self/root" "$status" 3

run "$SBX/sbx-policy" -C "$scratch/none" -- true
is "missing: status" "$status" 3
is "missing: the line" "$err" "sbx-policy: cwd: \"$scratch/none\": no such directory"
is "missing: the document" "$(ask '[.error.stage,.error.exit,.error.message]')" \
	"[\"sbx-policy\",3,\"cwd: \\\"$scratch/none\\\": no such directory\"]"
: >"$scratch/file"
run "$SBX/sbx-policy" -C "$scratch/file" -- true
is "a file" "$status$err" "3sbx-policy: cwd: \"$scratch/file\": not a directory"
run "$SBX/sbx-policy" -C "" -- true
is "the empty path" "$status" 3
run "$SBX/sbx-policy" -C /proc/self/cwd -- true
like "a magic link" "$status $err" '^3 .*link of /proc'
run bash -c 'exec 7<"$1"; exec "$0" -C /proc/self/fd/7 -- true' "$SBX/sbx-policy" "$ws"
is "a descriptor" "$status" 3
mkdir "$scratch/gone"
run bash -c 'cd "$1" && rmdir "$1" && exec "$0" -- true' "$SBX/sbx-policy" "$scratch/gone"
like "a working directory that was removed" "$status $err" '^3 .*cwd'
ln -s ws "$scratch/link"
run "$SBX/sbx-policy" -C "$scratch/link/../ws" -s workspace-write -- true
is "canonical" "$(ask .command.cwd)" "$ws"

stream "$(doc "$ws")$(doc "$outside")
$(doc /)" -s workspace-write
is "a stream: three documents, three lines" "$(wc -l <"$scratch/.out")" 3
stream "$(doc /none)$(doc "$ws")" -s workspace-write
is "one bad, one good: each has its own end" "$status$(jq -sc '[.[] | [.error.exit, (.policy != null)]]' "$scratch/.out")" \
	'3[[3,false],[null,true]]'
stream "$(jq -nc --arg d "$ws" '{sbx:1,command:{argv:["x"],cwd:$d,mystery:1},policy:{permissions:{fs:[{path:"/",access:"write"}]}},other:[1]}')" -s read-only
is "a policy that came in is replaced" "$(ask .policy.permissions.fs)" '[{"path":"/","access":"read"}]'
is "members nobody knows stay" "$(ask '[.other,.command.mystery]')" '[[1],1]'
like "and are warned of" "$err" 'command.mystery'
stream '{"sbx":1,"error":{"stage":"x","code":"y","message":"z","exit":4}}' -s read-only
is "an error passes through" "$status$(ask .error.stage)" 4x
finish
