#!/bin/bash
# What a restricted token cannot hold is refused with exit 4 and the name of
# the entry; what is no path of Windows with exit 3.  Nothing is held half.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/wintoken.sh"
anyone

plan < <(windows)
is "control: a workspace is planned" "$status" 0

r() { refused_plan "$1" 4 "$2" < <(windows "$3"); }
r "restricted reading" 'permissions: "/": not readable' \
	'.policy.permissions.fs = [{path: "C:\\ws", access: "write"}, {path: "C:\\", access: "read"}]'
r "nothing readable" 'permissions: "/": "none" limits reading' '.policy.permissions.fs[0].access = "none"'
r "no entries" 'permissions: "/": not readable' '.policy.permissions.fs = []'
r "a none entry" 'permissions: "C:\\secret": "none" limits reading' "$(entries 'C:\ws' write 'C:\secret' none)"
r "a none entry in a root" 'permissions: "C:\\ws\\.env": "none"' "$(entries 'C:\ws' write 'C:\ws\.env' none)"
r "deny_globs" 'permissions: "C:\\ws\\\*.key": deny_globs' '.policy.permissions.deny_globs = ["C:\\ws\\*.key"]'
r "a child that is opened again" 'permissions: "C:\\ws\\.git\\objects": writable again' \
	"$(entries 'C:\ws' write 'C:\ws\.git' read 'C:\ws\.git\objects' write)"
r "... in other letters" 'permissions: "C:\\WS\\.GIT\\x": writable again' \
	"$(entries 'c:\ws' write 'C:\Ws\.git' read 'C:\WS\.GIT\x' write)"
r "... further down" 'permissions: "C:\\ws\\a\\b\\c": writable again' \
	"$(entries 'C:\ws' write 'C:\ws\a' read 'C:\ws\a\b' read 'C:\ws\a\b\c' write)"
r "writing everywhere" 'permissions: "/": writing everywhere' '.policy.permissions.fs[0].access = "write"'
r "a whole drive" 'permissions: "D:\\": a whole drive' "$(entries "d:\\" write)"
r "a whole share" 'permissions: "\\\\s\\x": a whole drive or share' "$(entries '\\s\x' write)"
r "another system's root" 'permissions: "Z:\\": a whole drive' "$(entries 'Z:/' write)"
r "roots that are not in permissions" 'permissions: "D:\\x": in writable_roots' \
	'.policy.writable_roots = [{root: "C:\\ws", read_only_subpaths: []}, {root: "D:\\x", read_only_subpaths: []}]'
r "roots that are not in writable_roots" 'permissions: "C:\\ws": writable in permissions' '.policy.writable_roots = []'
r "roots that are read-only in permissions" 'permissions: "C:\\ws\\r": in writable_roots' \
	"$(entries 'C:\ws' write 'C:\ws\r' read)"' | .policy.writable_roots = [{root: "C:\\ws"}, {root: "C:\\ws\\r"}]'
r "one directory under two names, with two accesses" 'permissions: .* one directory on Windows' \
	"$(entries 'C:\ws' write 'C:\ws\Keep' read 'C:\ws\keep' write)"
r "letters whose case nobody can tell" 'permissions: "C:\\ws\\É" and "C:\\ws\\é\\x" differ in the case' \
	"$(entries 'C:\ws' write 'C:\ws\É' read 'C:\ws\é\x' write)"
r "the elevated level" 'features.elevated_windows_sandbox' '.policy.features.elevated_windows_sandbox = true'
r "... by [windows]" 'features.elevated_windows_sandbox, or .windows. sandbox' '.policy.windows = {sandbox: "elevated"}'
r "... where the administrator allows no other" 'features.elevated_windows_sandbox, or .windows. sandbox' '.policy.requirements = {windows: {allowed_sandbox_implementations: ["elevated"]}}'
home=Z:${CODEX_HOME//\//\\}
r "a home that is writable" 'CODEX_HOME: ".*": the policy makes it writable' "$(entries "$home" write)"
r "... as part of a root" 'CODEX_HOME: ' "$(entries "${home%\\*}" write)"
r "... or where the launcher keeps its state" 'CODEX_HOME: ' "$(entries "$home\\sbx-wintoken\\x" write)"
plan < <(windows "$(entries "${home%\\*}" write "$home" read)")
is "control: one that is a carve-out is safe" "$status" 0

b() { refused_plan "$1" 3 "$2" < <(windows "$3"); }
while IFS='|' read -r path why; do
	b "$path" "permissions.fs\[1\].path: .*$why" "$(entries "$path" write)"
done <<'END'
ws|not an absolute path
C:ws|relative to the drive
\ws|has no drive
\\.\PhysicalDrive0|names a device
\\?\GLOBALROOT\x|names a volume
C:\ws\.git.|ends with a dot
C:\ws\.git |ends with a dot or a space
C:\ws\.git::$DATA|alternate stream
C:\PROGRA~1|8\.3
C:\ws\nul|names a device
\\localhost\c$\ws|a drive under another name
C:\a*b|no file name has
/a\b|mixes separators
END
b "bytes that are not Unicode" 'permissions.fs\[1\].path: .*not valid Unicode' \
	'.policy.permissions.fs[1].path = {base64: "Qzpc/w=="}'
b "an access that nobody knows" 'permissions.fs\[1\].access' '.policy.permissions.fs[1].access = "all"'
b "a network that nobody knows" 'permissions.network' '.policy.permissions.network = "some"'
b "permissions without a list" 'permissions.fs' '.policy.permissions.fs = {}'
b "a directory that is no path" 'command.cwd: ' '.command.cwd = "ws"'
b "a directory with a stream" 'command.cwd: .*alternate stream' '.command.cwd = "C:\\ws:x"'
b "a writable root that is no path" 'policy.writable_roots\[0\].root' '.policy.writable_roots = [{root: "C:ws"}]'
b "a document for another sandbox" 'sandbox.type' \
	'.sandbox = {type: "linux-seccomp", backend: "bubblewrap", reason: "", capabilities: {}, lost: []}'

refused_plan "a command that was denied" 1 'not approved|.*denied' < <(windows "$approved | .approval.decision = \"denied\"")

plan < <(windows '.policy.features = {}')
is "switched off: the plan says so" "$status $(field .windows_sandbox_level)" "0 disabled"
stage sbx-wintoken < <(windows '.policy.features = {}')
is "... and nothing is wrapped" "$status $(field .exec)" "4 null"
like "... with the cure" "$err" 'enable_experimental_windows_sandbox=true'

for arguments in "-- cmd" "--plan-json {} -- cmd" "--audit"; do
	# shellcheck disable=SC2086 # words
	run "$SBX/sbx-wintoken" $arguments
	is "$arguments: is for Windows" "$status" 4
done
run "$SBX/sbx-wintoken" --plan -- cmd
is "--plan takes no command" "$status" 2
run "$SBX/sbx-wintoken" --plan-json x --plan-file y -- cmd
is "one plan at most" "$status" 2
run "$SBX/sbx-wintoken" --plan-json x
is "a plan needs a command" "$status" 2
finish
