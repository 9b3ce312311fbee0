#!/bin/bash
# Where there are no mounts there is no private /tmp: that is said, and the
# host's is then protected like every writable root, or nothing runs.
. "${0%/*}/lib/lib.sh"
need USERNS
in_tmp

export HOME=$scratch/home
mkdir -p "$HOME/.codex"
cat >"$HOME/.codex/config.toml" <<'END'
[permissions.tmp.filesystem]
":root" = "read"
":slash_tmp" = "write"
END
lost() { jq -rc '[.sandbox.type, .sandbox.backend, ([.sandbox.lost[].guarantee] | index("private-tmp") != null)]'; }
doc() { "$SBX/sbx-policy" -C "$ws" -a never "$@" -- true | "$SBX/sbx-approve"; }

is "control: with mounts nothing is lost" "$(doc -s workspace-write | "$SBX/sbx-select" | lost)" \
	'["linux-seccomp","bubblewrap",false]'
is "macOS: lost" "$(doc -s workspace-write | "$SBX/sbx-select" --platform macos | jq -c '[.sandbox.lost[].guarantee] | index("private-tmp") != null or .[0] == "sandbox"')" true
is "Windows: lost" "$(doc -s workspace-write -c features.enable_experimental_windows_sandbox=true | "$SBX/sbx-select" --platform windows | lost)" \
	'["windows-restricted-token","restricted-token",true]'
is "not when the host's was asked for" "$(doc -s workspace-write --tmp shared -c features.enable_experimental_windows_sandbox=true | "$SBX/sbx-select" --platform windows | lost)" \
	'["windows-restricted-token","restricted-token",false]'
is "nor where nothing is writable" "$(doc -s read-only -c features.enable_experimental_windows_sandbox=true | "$SBX/sbx-select" --platform windows | lost)" \
	'["windows-restricted-token","restricted-token",false]'

# A profile for macOS keeps the protected names of the host's /tmp.
wrapped=$(doc -s workspace-write | jq -c '.sandbox = {type: "macos-seatbelt", backend: "sandbox-exec", lost: []}' | "$SBX/sbx-wrap" --platform macos)
like "macOS: the host's /tmp keeps its protected names" "$(jq -c .exec.argv <<<"$wrapped")" '/tmp/\.codex'

# Without user namespaces.
cat >"$scratch/without" <<'END'
#!/bin/bash
echo 0 >/proc/sys/user/max_user_namespaces || exit 99
exec "$@"
END
chmod +x "$scratch/without"
if have LANDLOCK 3 && unshare -Urm "$scratch/without" true 2>/dev/null; then
	out=$(doc -P tmp | unshare -Urm "$scratch/without" "$SBX/sbx-select")
	is "Landlock with the broker: said to be lost" "$(lost <<<"$out")" '["linux-seccomp","landlock",true]'
	out=$(doc -P tmp | unshare -Urm "$scratch/without" "$TRY" listened "$SBX/sbx-select")
	is "Landlock alone: said to be lost, and not run where the host's cannot be protected" \
		"$(lost <<<"$out")" '["none",null,true]'
	like "... which is why" "$(jq -r '.sandbox.lost[0].why' <<<"$out")" '"/tmp/\.[^"]+" cannot be kept'
	run "$SBX/sbx-linux-sandbox" --landlock --cwd / --policy \
		"{\"permissions\":{\"fs\":[{\"path\":\"/\",\"access\":\"read\"},{\"path\":\"/tmp\",\"access\":\"write\"}],\"network\":\"off\"},\"tmp\":\"private\",\"workspace\":\"$ws\"}" -- touch "$tmp/x"
	like "the helper does not share it silently" "$status $err" '^125 .*private /tmp needs mounts'
	ok "... nothing ran" absent "$tmp/x"
fi
for policy in '{"permissions":{"fs":[{"path":"/","access":"read"}],"network":"off"},"tmp":"private","workspace":"/x"}' \
	'{"permissions":{"fs":[{"path":"/","access":"read"},{"path":"/tmp","access":"write"}],"network":"off"},"tmp":"private"}' \
	'{"permissions":{"fs":[{"path":"/","access":"read"},{"path":"/tmp","access":"write"}],"network":"off"},"tmp":"private","workspace":"x/../y"}'; do
	run "$SBX/sbx-linux-sandbox" --cwd / --policy "$policy" -- touch "$tmp/x"
	is "a request that does not say all is refused" "$status$(ls "$tmp")" 125
done

# A sandbox in a sandbox has the outer one's private /tmp, and shares it with nobody else.
if have LANDLOCK 3; then
	boxed "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --json -- sh -c ': >/tmp/x'
	is "in a private /tmp Landlock is enough" "$(jq -c '[.sandbox.backend, .result.exit_code, ([.sandbox.lost[].guarantee] | index("private-tmp"))]' <<<"$out")" '["landlock",0,null]'
	set_box --tmp shared
	# The test's own, in which nothing of others has to be protected.
	# shellcheck disable=SC2016
	box=(unshare -Urm sh -c 'mount -t tmpfs none /tmp && exec "$@"' sh "${box[@]}")
	boxed "$SBX/sbx-run" -s workspace-write -a never -C "$ws" --json -- true
	is "in the host's it is said" "$(lost <<<"$out")" '["linux-seccomp","landlock",true]'
fi
finish
