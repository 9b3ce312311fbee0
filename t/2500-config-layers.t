#!/bin/bash
# Each layer beats the one below it, tables merge, and every value says where
# it came from.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"

source_of() { ask '.policy.sources[$k]' --arg k "$1"; }

policy
is "no file: the default" "$(mode) $(source_of sandbox_mode)" "read-only default"
config '# a comment' 'sandbox_mode = "workspace-write"'
policy
is "the user's file" "$(mode) $(source_of sandbox_mode)" "workspace-write $user:2"
config "$(trusted "$ws")"
policy
is "a trusted project: the other default" "$(mode) $(source_of sandbox_mode)" \
	"workspace-write default when trusted"
is "... and its approval" "$(ask .policy.approval_policy)" on-request
config 'sandbox_mode = "danger-full-access"' 'approval_policy = "never"' "$(trusted "$ws")"
in_project 'sandbox_mode = "workspace-write"'
policy
is "the project beats the user" "$(mode) $(source_of sandbox_mode)" "workspace-write $ws/.codex/config.toml:1"
is "... where it speaks" "$(ask .policy.approval_policy) $(source_of approval_policy)" "never $user:2"

config 'sandbox_mode = "danger-full-access"' "$(trusted "$ws")" \
	'[profiles.p]' 'sandbox_mode = "read-only"' 'approval_policy = "untrusted"'
policy -p p
is "a profile beats the project" "$(mode) $(source_of sandbox_mode)" "read-only $user:5"
printf 'sandbox_mode = "workspace-write"\n' >"$HOME/.codex/p.config.toml"
policy -p p
is "its own file beats the table" "$(mode) $(source_of sandbox_mode)" "workspace-write $HOME/.codex/p.config.toml:1"
is "... and both count" "$(ask .policy.approval_policy)" untrusted
printf 'sandbox_mode = "workspace-write"\n' >"$HOME/.codex/q.config.toml"
policy -p q
is "a profile that is a file alone" "$(mode)" workspace-write
policy -p p -c 'sandbox_mode="danger-full-access"'
is "-c beats a profile" "$(mode) $(source_of sandbox_mode)" "danger-full-access flag -c sandbox_mode"
policy -p p -c 'sandbox_mode="danger-full-access"' -s read-only
is "a flag beats -c" "$(mode) $(source_of sandbox_mode)" "read-only flag --sandbox"
policy -p none
like "no such profile" "$status $err" '^3 .*profile "none": no such profile'
policy -p ../p
like "a profile is no path" "$status $err" '^3 .*no such profile'
rm -rf "$ws/.codex" "$HOME"/.codex/*

# Tables merge, lists replace.
config "$(trusted "$ws")" '[shell_environment_policy]' 'exclude = ["A", "B"]' 'inherit = "core"' \
	'[shell_environment_policy.set]' 'X = "1"' 'Y = "2"' '[features]' 'one = true' 'two = true'
in_project '[shell_environment_policy]' 'exclude = ["C"]' 'set = { Y = "3", Z = "4" }' '[features]' 'two = false'
look
policy
is "tables merge, lists replace" "$(ask '.policy | [.shell_environment_policy, .features]')" \
	'[{"inherit":"core","ignore_default_excludes":false,"exclude":["C"],"set":{"X":"1","Y":"3","Z":"4"},"include_only":[]},{"one":true,"two":false}]'
is "each with its source" "$(ask '.policy.sources | [."shell_environment_policy.set.X", ."shell_environment_policy.set.Y", ."features.two"]')" \
	"[\"$user:8\",\"$ws/.codex/config.toml:3\",\"$ws/.codex/config.toml:5\"]"
rm -rf "$ws/.codex"

# The example of the manual, whole.
mkdir -p "$scratch/cache"
config 'approval_policy = "on-request"' 'sandbox_mode = "workspace-write"' '[sandbox_workspace_write]' \
	"writable_roots = [\"$scratch/cache\", \"~/own\"]" 'network_access = true' 'exclude_tmpdir_env_var = false' \
	'exclude_slash_tmp = true' '[projects."/home/user/myrepo"]' 'trust_level = "trusted"' \
	'[profiles.paranoid]' 'approval_policy = "untrusted"' 'sandbox_mode = "read-only"' \
	'[profiles.paranoid.shell_environment_policy]' 'inherit = "core"' 'exclude = ["*TOKEN*", "*KEY*", "*SECRET*"]' \
	'[profiles.ci]' 'approval_policy = "never"' 'sandbox_mode = "read-only"' \
	'[features]' 'experimental_sandbox_command_assessment = true' 'enable_experimental_windows_sandbox = false'
mkdir "$HOME/own"
policy
is "the whole example: status and silence" "$status$err" 0
entry_is "$scratch/cache" write
entry_is "$HOME/own" write
entry_is /tmp absent
is "its network" "$(ask '[.policy.permissions.network, .policy.sources.network]')" "[\"on\",\"$user:5\"]"
is "its features" "$(ask .policy.features)" \
	'{"experimental_sandbox_command_assessment":true,"enable_experimental_windows_sandbox":false}'
policy -p paranoid
is "its profile" "$(ask '.policy | [.approval_policy,.sandbox_policy.type,.shell_environment_policy.inherit,.sources."shell_environment_policy.inherit"]')" \
	"[\"untrusted\",\"read-only\",\"core\",\"$user:14\"]"
policy -p ci -a on-request
is "its other profile, and a flag" "$(ask '[.policy.approval_policy, .policy.sources.approval_policy]')" '["on-request","flag --ask-for-approval"]'

# wrong PATTERN LINE...: exit 3, one line, a document without a policy
wrong() {
	local pattern=$1
	shift
	config "$@"
	policy
	is "refused: $*" "$status $(ask '[.error.exit,.policy]')" '3 [3,null]'
	like "... with the place" "$err" "^sbx-policy: $user:$pattern"
	is "... in one line" "$(wc -l <"$scratch/.err")" 1
}
wrong '1:1: sandbox_mode: expected read-only, workspace-write or danger-full-access, found "yolo"' 'sandbox_mode = "yolo"'
wrong '1:1: sandbox_mode: expected .*, found "external-sandbox"' 'sandbox_mode = "external-sandbox"'
wrong '2:1: approval_policy: expected untrusted, on-change, on-failure, on-request or never, found boolean' '' 'approval_policy = true'
wrong '2:1: sandbox_workspace_write.network_access: expected true or false, found "yes"' '[sandbox_workspace_write]' 'network_access = "yes"'
wrong '2:25: sandbox_workspace_write.writable_roots.1: expected a path, found ""' '[sandbox_workspace_write]' 'writable_roots = ["/a", ""]'
wrong '2:1: sandbox_workspace_write.writable_roots: expected a list' '[sandbox_workspace_write]' 'writable_roots = "/a"'
wrong '2:1: projects./x.trust_level: expected trusted or untrusted' '[projects."/x"]' 'trust_level = "yes"'
wrong '1:1: features: expected a table' 'features = 3'
wrong '2:1: profiles.p.sandbox_mode: expected' '[profiles.p]' 'sandbox_mode = 1'
wrong '2:1: shell_environment_policy.inherit: expected all, core or none' '[shell_environment_policy]' 'inherit = "some"'
wrong '1:16: ' 'sandbox_mode = yolo'
wrong '2:1: ' 'sandbox_mode = "read-only"' 'sandbox_mode = "read-only"'
config 'sandbox_mode = "workspace-write"' '[sandbox_workspace_write]' "writable_roots = [\"$scratch/none\"]"
policy
like "a root that does not exist, with the place" "$status $err" "^0 .*$user:3: .*$scratch/none.*no such directory"
config 'sandbox_mode = "read-only"' 'default_permissions = ":workspace"'
policy
like "two ways to say it in one file" "$status $err" "^3 .*$user:2: .*sandbox_mode.*$user:1"

# Unknown keys: said, with the nearest, and without effect.
config 'sandbox_mod = "danger-full-access"' '[sandbox_workspace_write]' 'network_acces = true' '[profile.x]' 'zzz = 1'
policy
is "unknown keys change nothing" "$status $(mode)" "0 read-only"
like "the nearest: a word" "$err" "$user:1: \"sandbox_mod\": unknown key, ignored; did you mean \"sandbox_mode\"\?"
like "the nearest: in a table" "$err" "$user:3: \"sandbox_workspace_write.network_acces\": .*\"network_access\""
like "the nearest: a table" "$err" "$user:4: \"profile\": .*\"profiles\""
config 'qwertyuiop = 1'
policy
is "nothing is near: a key of another program" "$status$err" 0

# A file that cannot be believed.
config 'sandbox_mode = "workspace-write"'
chmod 666 "$user"
policy
like "writable by everybody" "$status $err" '^3 .*writable by everybody'
chmod 600 "$user"
rm "$user" && mkfifo "$user"
policy
like "a fifo" "$status $err" '^3 .*not a regular file'
rm "$user"
head -c 1100000 /dev/zero | tr '\0' '#' >"$user"
policy
like "too large" "$status $err" '^3 '
printf 'a = "\xff"\n' >"$user"
policy
like "not UTF-8" "$status $err" "^3 .*$user:1:"
rm "$user"
if have ROOT; then
	config 'sandbox_mode = "danger-full-access"'
	chown 12345 "$user"
	policy
	like "somebody else's" "$status $err" '^3 .*owned by somebody else'
	rm "$user"
fi
if have USER; then
	config 'sandbox_mode = "danger-full-access"'
	chmod 000 "$user"
	policy
	like "unreadable" "$status $err" '^3 .*Permission denied'
	chmod 600 "$user" && rm "$user"
fi
ln -s "$scratch/elsewhere.toml" "$user"
printf 'sandbox_mode = "workspace-write"\n' >"$scratch/elsewhere.toml"
policy
is "a link of the user's own is followed" "$(mode)" workspace-write
mkdir "$ws/dotfiles" && mv "$scratch/elsewhere.toml" "$ws/dotfiles/" && ln -sf "$ws/dotfiles/elsewhere.toml" "$user"
policy
entry_is "$ws/dotfiles/elsewhere.toml" read
finish
