#!/bin/bash
# A whole ~/.codex, every documented key of it, prints no warning; and each key
# that concerns us has its effect.
. "${0%/*}/lib/lib.sh"
. "${0%/*}/lib/policy.sh"
. "${0%/*}/lib/config.sh"

cat >"$user" <<'END'
model = "gpt-5.1-codex"
review_model = "gpt-5"
model_provider = "openai"
model_context_window = 200000
model_auto_compact_token_limit = 1
model_max_output_tokens = 1
model_reasoning_effort = "high"
model_reasoning_summary = "auto"
model_verbosity = "low"
model_supports_reasoning_summaries = true
model_instructions_file = "x"
model_catalog_json = "x"
plan_mode_reasoning_effort = "low"
service_tier = "fast"
personality = "pragmatic"
notify = ["notify-send"]
instructions = "x"
developer_instructions = "x"
experimental_instructions_file = "x"
compact_prompt = "x"
experimental_compact_prompt_file = "x"
project_doc_max_bytes = 1
project_doc_fallback_filenames = ["X"]
project_root_markers = [".git"]
tool_output_token_limit = 1
hide_agent_reasoning = true
show_raw_agent_reasoning = true
file_opener = "vscode"
disable_response_storage = true
forced_login_method = "chatgpt"
forced_chatgpt_workspace_id = "x"
cli_auth_credentials_store = "file"
mcp_oauth_credentials_store = "auto"
mcp_oauth_callback_port = 1
mcp_oauth_callback_url = "x"
check_for_update_on_startup = false
suppress_unstable_features_warning = true
disable_paste_burst = true
allow_login_shell = false
background_terminal_max_timeout = 1
chatgpt_base_url = "x"
openai_base_url = "x"
web_search = "cached"
oss_provider = "ollama"
windows_wsl_setup_acknowledged = true
log_dir = "x"
sqlite_home = "x"
zsh_path = "x"
js_repl_node_path = "x"
js_repl_node_module_dirs = []
commit_attribution = "x"
experimental_use_unified_exec_tool = true
experimental_use_freeform_apply_patch = true
experimental_thread_store = "x"
experimental_realtime_ws_model = "x"
include_apply_patch_tool = true
approvals_reviewer = "user"
approval_policy = { granular = { sandbox_approval = true, rules = true, mcp_elicitations = true } }
sandbox_mode = "workspace-write"
profile = "work"

[sandbox_workspace_write]
writable_roots = []
network_access = false
exclude_tmpdir_env_var = false
exclude_slash_tmp = false

[shell_environment_policy]
inherit = "all"
ignore_default_excludes = false
experimental_use_profile = false
set = { A = "b" }
[shell_environment_policy.filters]
"AWS_*" = "exclude"
"PATH" = "include"
"A" = "include"

[windows]
sandbox = "unelevated"
sandbox_private_desktop = true

[permissions.mine]
description = "x"
extends = ":workspace"
workspace_roots = { "~" = false }
[permissions.mine.filesystem]
glob_scan_max_depth = 3
[permissions.mine.network]
enabled = false

[features]
unified_exec = true
multi_agent = true
[features.network_proxy]
enabled = false
mode = "limited"

[profiles.work]
model = "o3"
approval_policy = "on-request"
model_reasoning_effort = "high"
[profiles.work.features]
x = true
[profiles.work.tools]
web_search = true

[projects."/tmp/x"]
trust_level = "trusted"

[model_providers.x]
name = "x"
base_url = "y"
[mcp_servers.a]
command = "x"
env = { A = "b" }
[tui]
theme = "x"
notifications = true
[history]
persistence = "none"
[otel]
environment = "x"
[analytics]
enabled = false
[feedback]
enabled = false
[tools]
web_search = true
view_image = true
[agents]
max_threads = 2
[agents.reviewer]
description = "x"
[apps.x]
enabled = true
[skills]
config = []
[memories]
x = 1
[notice]
hide_full_access_warning = true
[hooks]
x = 1
[plugins.x]
enabled = true
[marketplaces.x]
source = "x"
[audio]
microphone = "x"
[realtime]
version = "x"
[ghost_snapshot]
disable_warnings = true
[auto_review]
policy = "x"
[tool_suggest]
disabled = true
[desktop]
x = 1
[experimental_network]
enabled = false
END
policy
is "nothing is said" "$status$err" 0
is "the profile that it names counts" "$(ask '.policy | [.approval_policy, .sandbox_policy.type]')" '["on-request","workspace-write"]'
is "features are switches; tables of their own are none" "$(ask '.policy.features | keys')" '["multi_agent","unified_exec","x"]'
is "windows" "$(ask .policy.windows.sandbox)" unelevated
config 'profile = "none"'
policy
is "a profile that is not there" "$status" 3
config 'profile = "a"' '[profiles.a]' 'sandbox_mode = "workspace-write"' '[profiles.b]' 'sandbox_mode = "read-only"'
policy -p b
is "an option names another" "$(mode)" read-only

# shell_environment_policy.filters
filters() { config '[shell_environment_policy.filters]' "$@"; }
variables() {
	local out
	out=$(env -i A=1 B=2 C=3 HOME="$HOME" CODEX_PERMISSION_PROFILE=outer \
		"$SBX/sbx-run" -C "$ws" -a never --dry-run -- true | jq -r '.exec.env | keys[]')
	grep -xE 'A|B|C' <<<"$out" | xargs
}
config ''
is "control: all of them" "$(variables)" "A B C"
filters '"A" = "exclude"'
is "exclude" "$(variables)" "B C"
filters '"a" = "include"' '"C" = "include"'
is "include: only these, in whatever case" "$(variables)" "A C"
filters '"*" = "include"' '"B" = "exclude"'
is "an include does not bring back what is excluded" "$(variables)" "A C"
filters '"A" = "exclude"' '"a" = "include"'
policy
is "a pattern twice" "$status" 3
filters '"A" = "maybe"'
policy
is "another word" "$status" 3
config '[shell_environment_policy]' 'exclude = ["A"]' '[shell_environment_policy.filters]' '"B" = "exclude"'
policy
like "beside a list, in one file" "$status $err" '^3 .*filters: conflicts with exclude'
config '[shell_environment_policy.filters]' '"a" = "exclude"' '"B" = "exclude"'
policy -c 'shell_environment_policy.filters={A="include"}'
is "a later layer has the last word, in whatever case" "$(ask '.policy.shell_environment_policy | [.exclude, .include_only]')" '[["B"],["A"]]'

# CODEX_PERMISSION_PROFILE
profile() { env CODEX_PERMISSION_PROFILE=outer "$SBX/sbx-run" -C "$ws" -a never "$@" --dry-run -- true | jq -r '.exec.env.CODEX_PERMISSION_PROFILE'; }
config '[permissions.mine]' 'extends = ":workspace"'
is "CODEX_PERMISSION_PROFILE names the set" "$(profile -P mine)" mine
is "an inherited one is removed" "$(profile)" null

config '[permissions.m.filesystem]' '":root" = "read"' '[permissions.m.macos]' 'macos_preferences = "readonly"' 'macos_calendar = true'
policy -P m
is "extensions of macOS by codex's names" "$(ask .policy.permissions.macos)" '{"preferences":"readonly","calendar":true}'

# Granular approval.
# granular CLASSES: decision and by whom, of a command that asks to leave the sandbox
granular() {
	config "approval_policy = { granular = { $1 } }" 'sandbox_mode = "workspace-write"'
	run "$SBX/sbx-policy" -C "$ws" "$2" -- "${@:3}"
	"$SBX/sbx-approve" <"$scratch/.out" 2>/dev/null | jq -r '"\(.approval.decision) \(.approval.by)"'
}
mkdir -p "$HOME/.codex/rules"
is "sandbox_approval = true: it would be asked" "$(granular 'sandbox_approval = true, rules = false, mcp_elicitations = false' --escalate make)" "denied none"
is "sandbox_approval = false: refused unasked" "$(granular 'sandbox_approval = false, rules = true, mcp_elicitations = false' --escalate make)" "denied policy"
echo 'prefix_rule(pattern=["make"], decision="prompt")' >"$HOME/.codex/rules/a.rules"
is "rules = true: a rule asks" "$(granular 'sandbox_approval = false, rules = true, mcp_elicitations = false' --require make)" "denied none"
is "rules = false: refused unasked" "$(granular 'sandbox_approval = true, rules = false, mcp_elicitations = false' --require make)" "denied policy"
is "control: what nobody asks about runs" "$(granular 'sandbox_approval = false, rules = false, mcp_elicitations = false' --require ls)" "skip policy"
rm "$HOME/.codex/rules/a.rules"
config 'approval_policy = { granular = { other = true } }'
policy
is "another class" "$status" 3

# What cannot be enforced is an error, where it would matter.
config 'sandbox_mode = "workspace-write"' '[sandbox_workspace_write]' 'network_access = true' '[features.network_proxy]' 'enabled = true'
policy
like "a proxy that judges an open network" "$status $err" '^3 .*network_proxy'
policy --network off
is "control: not without one" "$status" 0
finish
