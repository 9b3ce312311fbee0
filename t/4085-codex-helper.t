#!/bin/bash
# Under the name codex-linux-sandbox the helper takes codex's options, and holds
# what they say.
. "${0%/*}/lib/lib.sh"
need USERNS
export HOME=$scratch/home
mkdir "$HOME" "$ws/sub" "$ws/.git"
ln -s "$SBX/sbx-linux-sandbox" "$scratch/codex-linux-sandbox"
helper() { run "$scratch/codex-linux-sandbox" "$@"; }
# with POLICY COMMAND...: the older options
with() { helper --sandbox-policy-cwd "$ws" --sandbox-policy "$1" -- "${@:2}"; }
writes='echo x >in 2>/dev/null && echo in; echo x >"$1/out" 2>/dev/null && echo out; echo x >.git/x 2>/dev/null && echo git; true'
# wrote: which places could be written
wrote() { xargs <<<"$out"; }

with '{"type":"read-only"}' sh -c "$writes" - "$outside"
is "read-only" "$status $(wrote)" "0 "
with '{"type":"workspace-write"}' sh -c "$writes" - "$outside"
is "workspace-write" "$status $(wrote)" "0 in"
with "{\"type\":\"workspace-write\",\"writable_roots\":[\"$outside\"],\"network_access\":false}" sh -c "$writes" - "$outside"
is "its roots" "$(wrote)" "in out"
mkdir "$HOME/.codex"
printf 'sandbox_mode = "danger-full-access"\n[sandbox_workspace_write]\nwritable_roots = ["%s"]\n' "$outside" >"$HOME/.codex/config.toml"
with '{"type":"workspace-write"}' sh -c "$writes" - "$outside"
is "nothing of the user's file is added" "$(wrote)" "in"
rm -r "$HOME/.codex"
with '{"type":"danger-full-access"}' sh -c "$writes" - "$outside"
is "danger-full-access" "$(wrote)" "in out git"
with '{"type":"read-only"}' sh -c 'exit 7'
is "the status is the command's" "$status" 7
env -C "$ws" "$scratch/codex-linux-sandbox" '{"type":"workspace-write"}' -- sh -c "$writes" - "$outside" >"$scratch/.out"
is "the oldest form" "$(xargs <"$scratch/.out")" in

# profile JSON COMMAND...
profile() { helper --sandbox-policy-cwd "$ws" --permission-profile "$1" -- "${@:2}"; }
entries() { printf '{"type":"managed","network":"restricted","file_system":{"type":"restricted","entries":[%s]}}' "$1"; }
special() { printf '{"path":{"type":"special","value":{"kind":"%s"%s}},"access":"%s"}' "$1" "${3:+,\"subpath\":\"$3\"}" "$2"; }
path() { printf '{"path":{"type":"path","path":"%s"},"access":"%s"}' "$1" "$2"; }
echo classified >"$ws/sub/secret"
profile "$(entries "$(special root read),$(special project_roots write),$(special project_roots deny sub),$(path "$outside" write)")" \
	sh -c "$writes; cat sub/secret" - "$outside"
is "entries of a profile" "$(wrote)" "in out"
profile "$(entries "$(special minimal read),$(special current_working_directory write)")" sh -c "cat $outside/out; echo ran"
is "restricted reading" "$out" ran
profile "$(entries "$(special root read),$(special unheard_of write)")" true
is "an unknown special path gives nothing" "$status" 0
profile "$(entries "$(special root write),$(special unheard_of deny)")" true
is "one that is to be closed is not passed over" "$status" 125
profile "$(entries "$(special root write sub)")" true
is "a part of what has no parts is not the whole" "$status" 125
for twice in "$(path "$outside" deny),$(path "$outside" write)" "$(path "$outside" write),$(path "$outside" deny)"; do
	profile "$(entries "$(special root read),$(special project_roots write),$twice")" sh -c "$writes" - "$outside"
	is "one place twice is closed, in whatever order" "$status $(wrote)" "0 in"
done
profile "$(entries "$(special root read),$(path "$outside" write),$(path "$outside" read)")" sh -c "$writes" - "$outside"
is "... and else written" "$(wrote)" "out"
glob() { printf '{"path":{"type":"glob_pattern","pattern":"%s"},"access":"deny"}' "$1"; }
for pattern in '**/secret' 'sub/sec*' "$ws/**/secret"; do
	profile "$(entries "$(special root read),$(special project_roots write),$(glob "$pattern")")" sh -c "$writes; cat sub/secret"
	is "a pattern is closed, and about the workspace: $pattern" "$(wrote)" "in"
done
# Restricted reading, in the older form.
reads='cat "$1/out" >/dev/null 2>&1 && echo read; cat sub/secret >/dev/null && echo workspace; echo x >in 2>/dev/null && echo in; true'
limited() { printf '{"type":"%s","%s":{"type":"restricted"%s}}' "$1" "$2" "$3"; }
with "$(limited read-only access '')" sh -c "$reads" - "$outside"
is "read-only, restricted: the workspace and what programs need" "$status $(wrote)" "0 workspace"
with "$(limited read-only access ",\"readable_roots\":[\"$outside\"]")" sh -c "$reads" - "$outside"
is "... its roots" "$status $(wrote)" "0 read workspace"
with "$(limited read-only access ',"include_platform_defaults":false')" sh -c "$reads" - "$outside"
isnt "... without what programs need" "$status" 0
with "$(limited workspace-write read_only_access '')" sh -c "$reads" - "$outside"
is "workspace-write, restricted" "$status $(wrote)" "0 workspace in"
with "{\"type\":\"workspace-write\",\"writable_roots\":[\"$outside\"],\"read_only_access\":{\"type\":\"restricted\"}}" sh -c "$reads; $writes" - "$outside"
is "... and what can be written is read" "$status $(wrote)" "0 read workspace in in out"
with '{"type":"read-only"}' sh -c "$reads" - "$outside"
is "control: everything is read" "$(wrote)" "read workspace"
profile '{"type":"disabled"}' sh -c "$writes" - "$outside"
is "disabled" "$(wrote)" "in out git"
helper --sandbox-policy-cwd "$ws" --command-cwd "$ws/sub" --use-legacy-landlock --no-proc --sandbox-policy '{"type":"read-only"}' -- pwd
is "where the command runs" "$out" "$ws/sub"

for wrong in "--sandbox-policy-cwd $ws" "--sandbox-policy {} -- true" '--sandbox-policy {"type":"any"} -- true' '--permission-profile {"type":"managed"} -- true' \
	'--sandbox-policy {"type":"read-only"} --allow-network-for-proxy -- true' \
	'--sandbox-policy {"type":"read-only"} --sandbox-policy {"type":"danger-full-access"} -- true' \
	"--sandbox-policy-cwd / --sandbox-policy-cwd $ws --sandbox-policy {\"type\":\"workspace-write\"} -- true"; do
	read -ra words <<<"$wrong"
	helper "${words[@]}"
	is "refused: $wrong" "$status" 125
done

# What is not understood could have meant less.
ran() { [ -e "$ws/ran" ] && rm "$ws/ran" && echo ran; }
with '{"type":"workspace-write","network_access":null,"exclude_slash_tmp":true,"read_only_access":{"type":"full-access"}}' touch ran
is "control: what is known runs" "$(ran)" ran
for wrong in '"exclude_slash_tmp":"true"' '"read_only_access":{"type":"restricted","include_platform_defaults":1}' '"read_only_access":{"type":"restricted","readable_roots":"/"}' \
	'"read_only_access":{"type":"restricted","readable_roots":["sub"]}' '"read_only_access":{"type":"restricted","unless":1}' \
	'"network_access":"restricted"' '"writable_roots":"/"' '"read_only_access":{"type":"some"}' '"read_only_access":"restricted"' '"deny":["/"]'; do
	with "{\"type\":\"workspace-write\",$wrong}" touch ran
	is "refused: $wrong" "$status $(ran)" "125 "
done
for wrong in '{"type":"read-only","network_access":"enabled"}' '{"type":"external-sandbox","network_access":true}' '{"type":"danger-full-access","access":{"type":"full-access"}}'; do
	with "$wrong" touch ran
	is "refused: $wrong" "$status $(ran)" "125 "
done
write='"access":"write"'
for wrong in "{\"path\":{\"type\":\"special\",\"value\":{\"kind\":\"project_roots\",\"subpath\":5}},$write}" \
	"{\"path\":{\"type\":\"place\",\"value\":{\"kind\":\"root\"}},$write}" "{\"path\":{\"type\":\"path\",\"path\":\":root\"},$write}" \
	"{\"path\":{\"type\":\"path\",\"path\":\"sub\"},$write}" "{\"path\":{\"type\":\"glob_pattern\",\"pattern\":\"*.c\"},$write}" \
	"{\"path\":{\"type\":\"path\",\"path\":\"$outside\"},$write,\"unless\":\"secret\"}" 5; do
	profile "$(entries "$(special root read),$(special project_roots write),$wrong")" touch ran
	is "refused: $wrong" "$status $(ran)" "125 "
done
for wrong in '{"type":"managed","network":"some","file_system":{"type":"unrestricted"}}' '{"type":"managed","file_system":{"type":"restricted","entries":{}}}' \
	'{"type":"managed","file_system":{"type":"restricted","glob_scan_max_depth":"3"}}' '{"type":"disabled","unless":true}' '["type"]' '{"type":"disabled","type":"managed"}' '{"type":"disabled"} {}'; do
	profile "$wrong" touch ran
	is "refused: $wrong" "$status $(ran)" "125 "
done
finish
