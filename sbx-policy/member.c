#include "member.h"

#include "memory.h"
#include "osstring.h"
#include "roots.h"

/* The roots that were asked for, not the ones that the mode brings with it. */
static json_t *configured_roots(const struct policy *policy)
{
	json_t *list = xjson(json_array());

	for (size_t i = 0; i < policy->permissions.count; i++) {
		const struct entry *entry = &policy->permissions.entries[i];
		const struct origin *origin = policy_origin(policy, entry->path);

		if (origin && origin->named)
			json_array_append_new(list, os_string(entry->path));
	}
	return list;
}

static json_t *sandbox_policy(const struct policy *policy)
{
	const struct settings *settings = policy->settings;
	const char *type = mode_names[settings->mode.value];
	int network = policy->permissions.network == NETWORK_ON;

	switch ((enum mode)settings->mode.value) {
	case MODE_READ_ONLY:
		return json_pack("{s:s,s:b}", "type", type, "network_access", network);
	case MODE_WORKSPACE_WRITE:
		return json_pack("{s:s,s:o,s:b,s:b,s:b}", "type", type, "writable_roots",
		                 configured_roots(policy), "network_access", network,
		                 "exclude_tmpdir_env_var", settings->exclude_tmpdir.value,
		                 "exclude_slash_tmp", settings->exclude_slash_tmp.value);
	case MODE_EXTERNAL:
		return json_pack("{s:s,s:s}", "type", type, "network_access",
		                 network ? "enabled" : "restricted");
	case MODE_DANGER:
		break;
	}
	return json_pack("{s:s}", "type", type);
}

static json_t *sources(const struct policy *policy)
{
	const struct settings *settings = policy->settings;
	json_t *roots = xjson(json_array());
	const char *network;

	policy_network(settings, &network);
	for (size_t i = 0; i < policy->permissions.count; i++) {
		const struct entry *entry = &policy->permissions.entries[i];
		const struct origin *origin = policy_origin(policy, entry->path);

		if (origin && entry->access == ACCESS_WRITE)
			json_array_append_new(
			        roots, xjson(json_pack("{s:o,s:s}", "root", os_string(entry->path),
			                               "source", origin->source)));
	}
	return xjson(json_pack(
	        "{s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:o}", "approval_policy", settings->approval.source,
	        "sandbox_mode", settings->mode.source, "network", network, "exclude_tmpdir_env_var",
	        settings->exclude_tmpdir.source, "exclude_slash_tmp",
	        settings->exclude_slash_tmp.source, "sbx.bwrap", settings->bwrap.source,
	        "sbx.nested", settings->nested.source, "writable_roots", roots));
}

static json_t *cut_roots(const struct policy *policy)
{
	json_t *list = xjson(json_array());

	for (size_t i = 0; i < policy->cut_roots.count; i++)
		json_array_append_new(list, os_string(policy->cut_roots.paths[i]));
	return list;
}

json_t *policy_member(const struct policy *policy)
{
	const struct settings *settings = policy->settings;
	json_t *member = xjson(json_pack("{s:s,s:o,s:o,s:o}", "approval_policy",
	                                 approval_names[settings->approval.value], "sandbox_policy",
	                                 xjson(sandbox_policy(policy)), "permissions",
	                                 permissions_json(&policy->permissions), "writable_roots",
	                                 writable_roots_json(&policy->permissions)));
	json_t *rest = xjson(json_pack(
	        "{s:{s:s,s:b,s:[],s:{},s:[]},s:{},s:{s:s,s:o},s:o,s:{s:I,s:b,s:o},s:{s:s,s:b}}",
	        "shell_environment_policy", "inherit", "all", "ignore_default_excludes", 0,
	        "exclude", "set", "include_only", "features", "trust", "level", "unknown", "path",
	        os_string(policy->workspace), "sources", sources(policy), "walk", "directories",
	        (json_int_t)policy->walked, "cut", policy->cut, "cut_roots", cut_roots(policy),
	        "sbx", "bwrap", bwrap_names[settings->bwrap.value], "nested",
	        settings->nested.value));

	json_object_update(member, rest);
	json_decref(rest);
	return member;
}
