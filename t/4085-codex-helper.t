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
profile '{"type":"disabled"}' sh -c "$writes" - "$outside"
is "disabled" "$(wrote)" "in out git"
helper --sandbox-policy-cwd "$ws" --command-cwd "$ws/sub" --use-legacy-landlock --no-proc --sandbox-policy '{"type":"read-only"}' -- pwd
is "where the command runs" "$out" "$ws/sub"

for wrong in "--sandbox-policy-cwd $ws" "--sandbox-policy {} -- true" '--sandbox-policy {"type":"any"} -- true' '--permission-profile {"type":"managed"} -- true' \
	'--sandbox-policy {"type":"read-only"} --allow-network-for-proxy -- true' '--sandbox-policy {"type":"read-only","access":{"type":"restricted"}} -- true'; do
	read -ra words <<<"$wrong"
	helper "${words[@]}"
	is "refused: $wrong" "$status" 125
done
finish
