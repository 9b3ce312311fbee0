#!/bin/bash
# Trust is of what was read: "sbx-policy --trust" shows what a project's file
# widens and keeps its digest, and a file that is another one since then can
# only narrow.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"

file=$ws/.codex/config.toml
content() { ask '.policy.trust.content // "none"'; }
trust() { run "$SBX/sbx-policy" --trust "$ws"; }
repository "$ws"

# What --trust says.
trust
is "no file: no fuss" "$status $out$err" "0 $ws: trusted"
in_project 'sandbox_mode = "read-only"' 'approval_policy = "untrusted"' '[sandbox_workspace_write]' 'exclude_slash_tmp = true'
trust
is "a file that narrows: no fuss" "$status $out$err" "0 $ws: trusted"
wide=('sandbox_mode = "danger-full-access"' 'approval_policy = "never"' '[sandbox_workspace_write]'
	"writable_roots = [\"$outside\"]" 'network_access = true' 'exclude_slash_tmp = false'
	'[shell_environment_policy]' 'inherit = "none"' 'set = { A = "1" }' '[permissions.p.filesystem]' '":root" = "write"'
	'[profiles.q]' 'sandbox_mode = "danger-full-access"')
in_project "${wide[@]}"
trust
is "a file that widens: each line with its place" "$out" "$file:1: widens: sandbox_mode = \"danger-full-access\"
$file:2: widens: approval_policy = \"never\"
$file:4: widens: sandbox_workspace_write.writable_roots = [\"$outside\"]
$file:5: widens: sandbox_workspace_write.network_access = true
$file:9: widens: shell_environment_policy.set.A = \"1\"
$file:11: widens: permissions.p.filesystem.:root = \"write\"
$file:13: widens: profiles.q.sandbox_mode = \"danger-full-access\"
$ws: trusted"
like "... and its digest is kept" "$(cat "$user")" "^sbx_config = \"sha256:$(sha256sum <"$file" | cut -d' ' -f1)\"$"
policy
is "it counts in full" "$(mode) $(ask .policy.approval_policy) $(content)$err" "danger-full-access never seen"
run "$SBX/sbx-policy" -C "$ws" --explain
like "--explain: as trusted" "$out" "project file +as trusted +$file"

# A line more, and it is another file.
echo '# harmless' >>"$file"
policy
is "changed: nothing that it widens counts" \
	"$(ask '.policy | [.sandbox_policy.type,.approval_policy,.permissions.network,.shell_environment_policy.set]')" \
	'["workspace-write","on-request","loopback",{}]'
is "... what it narrows does" "$(ask .policy.shell_environment_policy.inherit) $(content)" "none changed"
is "... and one line says so" "$(wc -l <"$scratch/.err")" 1
like "... with the file and the cure" "$err" "\"$file\": changed since it was trusted.*sbx-policy --trust $ws"
run "$SBX/sbx-policy" -C "$ws" --explain
like "--explain: changed" "$out" "project file +changed +$file"
policy -P p
like "its permission set is none" "$status $(tail -n 1 "$scratch/.err")" '^3 .*no such permission set'
policy -p q
like "its profile is none" "$status $(tail -n 1 "$scratch/.err")" '^3 .*no such profile'
rm -f "$outside/x"
run "$SBX/sbx-run" -C "$ws" -- touch "$outside/x"
ok "the sandbox holds" absent "$outside/x"
trust
policy
is "control: looked at again, it counts" "$(mode)" danger-full-access
run "$SBX/sbx-run" -C "$ws" -- touch "$outside/x"
ok "control: and there is no sandbox" exists "$outside/x"

# Changed so that it narrows: that counts at once.
in_project 'sandbox_mode = "read-only"' 'approval_policy = "untrusted"'
policy
is "a changed file that narrows counts, in silence" "$(mode) $(ask .policy.approval_policy) $(content)$err" "read-only untrusted changed"
config 'sandbox_mode = "read-only"' "$(trusted "$ws")"
in_project 'sandbox_mode = "workspace-write"'
policy
is "wider than the user's own word is wider" "$(mode)" read-only
trust
like "... and --trust shows it" "$out" "^$file:1: widens: sandbox_mode"

# As codex writes it.
config "$(trusted "$ws")"
in_project "${wide[@]}"
policy
is "without a digest: the project is trusted, its widenings are not" "$(level) $(mode) $(content)" "trusted $ws workspace-write unseen"
is "... and one line says so" "$(grep -c 'not reviewed yet' "$scratch/.err") $(wc -l <"$scratch/.err")" "1 1"
run "$SBX/sbx-policy" -C "$ws" --explain
like "--explain: not looked at" "$out" "project file +not looked at +$file"

# Who may say what was looked at.
digest=$(sha256sum <"$file" | cut -d' ' -f1)
echo "[projects.\"$ws\"]" >>"$file"
echo "sbx_config = \"sha256:$digest\"" >>"$file"
policy
is "a digest in the project's own file is none" "$(mode) $(content)" "workspace-write unseen"
like "... and said" "$err" 'sbx_config": ignored: a project cannot set this'
in_project 'sandbox_mode = "danger-full-access"' '[sbx]' 'nested = true' 'bwrap = "system"'
trust
policy
is "a project chooses neither namespaces nor programs, looked at or not" "$(mode) $(ask .policy.sbx)" \
	'danger-full-access {"bwrap":"auto","nested":false}'

# --untrust forgets both.
run "$SBX/sbx-policy" --untrust "$ws"
is "--untrust removes the digest" "$out$(grep -c sbx_ "$user")" "$ws: untrusted0"
config '# mine' "[projects.\"$ws\"]" 'sbx_config = "sha256:x"' 'trust_level = "trusted" # yes' 'sbx_rules = "sha256:y"' '[features]'
run "$SBX/sbx-policy" --untrust "$ws"
is "... and nothing else" "$(cat "$user")" "$(printf '%s\n' '# mine' "[projects.\"$ws\"]" 'trust_level = "untrusted" # yes' '[features]')"

# The file behind the name: swapped while we look, or another's.
in_project 'sandbox_mode = "read-only"'
trust
printf 'sandbox_mode = "danger-full-access"\n' >"$scratch/wide"
cp "$file" "$scratch/narrow"
(
	trap 'exit 0' TERM
	while :; do
		cp "$scratch/wide" "$ws/.codex/n" && mv "$ws/.codex/n" "$file"
		cp "$scratch/narrow" "$ws/.codex/n" && mv "$ws/.codex/n" "$file"
	done
) &
swapper=$!
kill_later $swapper
wrong=0 wides=0
for _ in {1..30}; do
	policy
	[ "$(content)" != changed ] || wides=$((wides + 1))
	[ "$(mode)" != danger-full-access ] || wrong=$((wrong + 1))
done
kill $swapper && wait $swapper 2>/dev/null
isnt "control: the file was swapped meanwhile" "$wides" 0
is "what was hashed is what was parsed" "$wrong" 0
rm -rf "$ws/.codex"
mkdir "$scratch/elsewhere"
cp "$scratch/wide" "$scratch/elsewhere/config.toml"
ln -s "$scratch/elsewhere" "$ws/.codex"
trust
like "a linked .codex is not read" "$err" 'symbolic link'
policy
is "... by nobody" "$(mode)" workspace-write
rm "$ws/.codex" && mkdir "$ws/.codex"
ln "$scratch/wide" "$file"
trust
echo 'approval_policy = "never"' >>"$scratch/wide"
policy
is "a hard link that is written elsewhere is a changed file" "$(mode) $(content)" "workspace-write changed"
printf 'sandbox_mode = "yolo"\n' >"$file"
rm "$user"
trust
is "a file with an error is not trusted" "$status $(cat "$user" 2>/dev/null)" "3 "
finish
