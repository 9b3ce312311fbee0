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
experimental_realtime_start_instructions = "x"
experimental_realtime_ws_backend_prompt = "x"
experimental_realtime_ws_base_url = "x"
experimental_realtime_ws_startup_context = "x"
experimental_thread_config_endpoint = "x"
apps_mcp_product_sku = "x"
include_apps_instructions = true
include_collaboration_mode_instructions = true
include_environment_context = true
include_permissions_instructions = true
model_auto_compact_token_limit_scope = "total"
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
[debug]
x = 1
[mcp_servers.b]
url = "x"
bearer_token_env_var = "X"
http_headers = { a = "b" }
enabled_tools = []
startup_timeout_sec = 1.5
[mcp_servers.b.tools.c]
approval_mode = "auto"
[otel.exporter.otlp-http]
endpoint = "x"
protocol = "json"
[tui.keymap.approval]
approve = "y"
[tools.web_search]
allowed_domains = ["x"]
END
policy
is "nothing is said" "$status$err" 0
is "the profile that it names counts" "$(ask '.policy | [.approval_policy, .sandbox_policy.type]')" '["on-request","workspace-write"]'
is "features are switches; tables of their own are none" "$(ask '.policy.features | keys')" '["multi_agent","unified_exec","x"]'
is "windows" "$(ask .policy.windows.sandbox)" unelevated
# The forms that values have: tables in lists, keys in quotes, tables within tables.
cat >"$user" <<'END'
model = "gpt-5.5-codex"
sqlite = { journal_mode = "wal" }
notify = ["python3", "/x/notify.py"]
forced_chatgpt_workspace_id = ["a", "b"]
tool_output_token_limit = 12000
[hooks]
managed_dir = "/x"
[[hooks.PreToolUse]]
matcher = "^Bash$"
[[hooks.PreToolUse.hooks]]
type = "command"
command = "python3 /x"
timeout = 30
[hooks.state."x"]
trusted_hash = "sha256:1"
[[skills.config]]
path = "/x/SKILL.md"
enabled = false
[agents]
max_threads = 4
job_max_runtime_seconds = 10
[agents.researcher]
description = "x"
config_file = "./agents/r.toml"
nickname_candidates = ["H"]
[otel]
environment = "dev"
exporter = { otlp-http = { endpoint = "https://x/v1/logs", protocol = "binary", headers = { "x-k" = "${T}" } } }
log_user_prompt = false
[tui]
notifications = ["agent-turn-complete"]
status_line = ["model"]
[tui.keymap.global]
submit = "ctrl-s"
[model_providers.azure]
name = "Azure"
base_url = "https://x"
env_key = "K"
query_params = { api-version = "1" }
wire_api = "responses"
request_max_retries = 4
[model_providers.azure.auth]
command = "x"
args = []
[model_providers.azure.aws]
profile = "x"
[mcp_servers.ctx]
command = "npx"
args = ["-y", "x"]
env_vars = ["A", { name = "B", source = "remote" }]
cwd = "/x"
startup_timeout_sec = 20
tool_timeout_sec = 30
enabled = true
required = false
enabled_tools = ["a"]
disabled_tools = ["b"]
default_tools_approval_mode = "prompt"
scopes = ["x"]
environment_id = "local"
[mcp_servers.ctx.oauth]
client_id = "x"
[apps._default]
enabled = true
destructive_enabled = false
[apps.gh.tools."x/y"]
approval_mode = "approve"
[memories]
use_memories = true
max_rollouts_per_startup = 3
[tool_suggest]
discoverables = [{ type = "plugin", id = "x" }]
[plugins."gh@m"]
enabled = true
[plugins."gh@m".mcp_servers.x]
enabled = false
[marketplaces.m]
source_type = "git"
source = "https://x"
[tools]
web_search = { context_size = "low", allowed_domains = ["x"] }
experimental_request_user_input = { enabled = true }
[notice]
hide_full_access_warning = true
model_migrations = { "a" = "b" }
[notice.external_config_migration_prompts]
home = true
[debug.config_lockfile]
export_dir = "/x"
[features]
multi_agent_v2 = { enabled = true, max_concurrent_threads_per_session = 4 }
apps_mcp_path_override = { enabled = true, path = "x" }
[features.code_mode]
enabled = true
[windows]
sandbox = "unelevated"
[history]
persistence = "save-all"
max_bytes = 100
[projects."/a/b"]
trust_level = "untrusted"
[desktop.x]
y = [1, { z = 2 }]
[auto_review]
policy = "x"
END
policy
is "as they are written in practice: nothing is said" "$status$err" 0
is "... and what concerns us is taken" "$(ask '.policy | [.sandbox_policy.type, .windows.sandbox]')" '["read-only","unelevated"]'
# Every switch that codex has.
features=(apply_patch_freeform apply_patch_streaming_events apps apps_mcp_path_override auth_elicitation browser_use browser_use_external
	child_agents_md chronicle code_mode code_mode_only codex_git_commit codex_hooks collab collaboration_modes computer_use connectors
	default_mode_request_user_input elevated_windows_sandbox enable_experimental_windows_sandbox enable_fanout enable_mcp_apps
	enable_request_compression exec_permission_approvals experimental_use_unified_exec_tool experimental_windows_sandbox external_migration
	fast_mode goals guardian_approval hooks image_detail_original image_generation imagegenext in_app_browser js_repl js_repl_tools_only
	local_thread_store_compression memories memory_tool mentions_v2 multi_agent multi_agent_v2 non_prefixed_mcp_tool_names personality
	plugin_hooks plugin_sharing plugins prevent_idle_sleep realtime_conversation remote_compaction_v2 remote_control remote_models
	remote_plugin request_permissions request_permissions_tool request_rule responses_websocket_response_processed responses_websockets
	responses_websockets_v2 runtime_metrics search_tool shell_snapshot shell_tool shell_zsh_fork skill_env_var_dependency_prompt
	skill_mcp_dependency_install sqlite standalone_web_search steer telepathy terminal_resize_reflow tool_call_mcp_elicitation tool_search
	tool_search_always_defer_mcp_tools tool_suggest tui_app_server unavailable_dummy_tools undo unified_exec unified_exec_zsh_fork
	use_legacy_landlock use_linux_sandbox_bwrap web_search web_search_cached web_search_request workspace_dependencies
	workspace_owner_usage_nudge)
for value in true false; do
	config '[features]' "${features[@]/%/ = $value}"
	policy -s workspace-write
	is "every feature = $value: nothing is said" "$status$err" 0
done
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

# What codex has for itself.
config '[shell_environment_policy]' 'ignore_default_excludes = true'
own() {
	env -i HOME="$HOME" PATH="$PATH" NODE_REPL_AUTH_TOKEN=1 OPENAI_FEDERATION_RULE_ID=1 OPENAI_IDENTITY_TOKEN_FILE=1 OPENAI_WORKLOAD_IDENTITY_CONTEXT=1 \
		CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN=1 MY_TOKEN=1 "$SBX/sbx-run" -C "$ws" -a never "$@" --dry-run -- true | jq -r '.exec.env | keys[]' | grep -xE '(NODE|OPENAI|MY|CODEX_EXEC)_.*' | xargs
}
is "what codex has for itself is not passed on; other secrets are, if asked for" "$(own)" MY_TOKEN
is "... but by its name" "$(own --env OPENAI_FEDERATION_RULE_ID)" "MY_TOKEN OPENAI_FEDERATION_RULE_ID"

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
run "$SBX/sbx-policy" -C "$ws" -a on-request --escalate -- make
is "... but where an option says on-request" "$("$SBX/sbx-approve" <"$scratch/.out" 2>/dev/null | jq -r '"\(.approval.decision) \(.approval.by)"')" "denied none"
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
