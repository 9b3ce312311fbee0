#include "answer/policy_member.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "config/config.h"
#include "config/environment_filters.h"
#include "document/osstring.h"
#include "fs/home_directory.h"
#include "policy/words.h"
#include "resolve/writable_roots.h"
#include "trust/kept_place.h"

#include <string.h>

/* The roots that were asked for, not the ones that the mode brings with it. */
static json_t *configured_roots(const struct policy *policy)
{
	json_t *list = xjson(json_array());

	for (size_t i = 0; i < policy->permissions.count; i++) {
		const struct entry *entry = &policy->permissions.entries[i];
		const struct origin *origin = policy_origin(policy, entry->path);

		if (origin && origin->named && entry->access == ACCESS_WRITE)
			json_array_append_new(list, os_string(entry->path));
	}
	return list;
}

static bool has_write(const struct policy *policy)
{
	for (size_t i = 0; i < policy->permissions.count; i++)
		if (policy->permissions.entries[i].access == ACCESS_WRITE)
			return true;
	return false;
}

/* The older form, as near as it comes: it has no words for what a set can say. */
static json_t *sandbox_policy(const struct policy *policy)
{
	const struct settings *settings = policy->settings;
	enum mode mode = (enum mode)settings->mode.value;
	int network = policy->permissions.network == NETWORK_ON;
	const char *type;

	if (settings->set.name && !has_write(policy))
		mode = MODE_READ_ONLY;
	type = mode_names[mode];
	switch (mode) {
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

/* {"table.key": source} for every value that the configuration has in a table. */
static void add_sources(json_t *sources, const char *prefix, json_t *origins)
{
	const char *key;
	json_t *origin;

	json_object_foreach (origins, key, origin) {
		cleanup_free char *name = xasprintf("%s.%s", prefix, key);

		if (json_is_object(origin))
			add_sources(sources, name, origin);
		else
			json_object_set_new(sources, name,
			                    xjson(json_string(config_from(origin).source)));
	}
}

/* Of the roots; of a permission set, of every entry. */
static json_t *entry_sources(const struct policy *policy, bool all)
{
	json_t *list = xjson(json_array());

	for (size_t i = 0; i < policy->permissions.count; i++) {
		const struct entry *entry = &policy->permissions.entries[i];
		const struct origin *origin = policy_origin(policy, entry->path);

		if (origin && (all || entry->access == ACCESS_WRITE))
			json_array_append_new(
			        list,
			        xjson(json_pack("{s:o,s:s}", all ? "path" : "root",
			                        os_string(entry->path), "source", origin->source)));
	}
	return list;
}

static json_t *host_sources(const struct policy *policy)
{
	json_t *list = xjson(json_array());

	for (size_t i = 0; i < policy->permissions.hosts.count; i++) {
		cleanup_free char *text = host_rule_text(&policy->permissions.hosts.rules[i]);

		json_array_append_new(list, xjson(json_pack("{s:s,s:s}", "host", text, "source",
		                                            policy->host_sources.paths[i])));
	}
	return list;
}

static json_t *sources(const struct policy *policy)
{
	static const char *const tables[] = {"shell_environment_policy", "features", "sbx"};
	const struct settings *settings = policy->settings;
	json_t *sources;

	sources = xjson(json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:o}", "approval_policy",
	                          settings->approval.source, "sandbox_mode", settings->mode.source,
	                          "network", policy->network_source, "exclude_tmpdir_env_var",
	                          settings->exclude_tmpdir.source, "exclude_slash_tmp",
	                          settings->exclude_slash_tmp.source, "sbx.bwrap",
	                          settings->bwrap.source, "sbx.nested", settings->nested.source,
	                          "trust", settings->trust.source, "tmp", policy->tmp_source,
	                          "writable_roots", entry_sources(policy, false)));
	if (policy->permissions.hosts.count > 0)
		json_object_set_new(sources, "hosts", host_sources(policy));
	for (int i = 0; i < LIMIT_COUNT; i++)
		if (policy->limits.most[i]) {
			cleanup_free char *name = xasprintf("limits.%s", limit_names[i]);

			json_object_set_new(sources, name,
			                    xjson(json_string(policy->limit_sources[i])));
		}
	if (settings->set.name) {
		json_object_set_new(sources, "permissions",
		                    xjson(json_string(settings->set.source)));
		json_object_set_new(sources, "fs", entry_sources(policy, true));
	}
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		add_sources(sources, tables[i],
		            json_object_get(settings->config->origins, tables[i]));
	return sources;
}

/* By our names; codex's begin with "macos_". */
static json_t *macos_extensions(json_t *given)
{
	json_t *out = xjson(json_object());
	const char *key;
	json_t *value;

	json_object_foreach (given, key, value)
		json_object_set_new(out, strncmp(key, "macos_", 6) == 0 ? key + 6 : key,
		                    xjson(json_deep_copy(value)));
	return out;
}

static json_t *permissions(const struct policy *policy)
{
	json_t *json = permissions_json(&policy->permissions);
	json_t *macos = json_object_get(policy->set.values, "macos");

	/* For backends that can refuse a name before it exists. */
	if (json_array_size(policy->deny_globs) > 0)
		json_object_set(json, "deny_globs", policy->deny_globs);
	/* Where the system is more than files: services, and devices by name. */
	if (policy->minimal)
		json_object_set_new(json, "platform_defaults", xjson(json_true()));
	if (macos)
		json_object_set_new(json, "macos", macos_extensions(macos));
	return json;
}

static json_t *environment_policy(const struct policy *policy)
{
	json_t *json =
	        xjson(json_pack("{s:s,s:b,s:[],s:{},s:[]}", "inherit", "all",
	                        "ignore_default_excludes", 0, "exclude", "set", "include_only"));

	json_object_update(json, json_object_get(policy->settings->config->values,
	                                         "shell_environment_policy"));
	filters_apply(policy->settings->config, json);
	return json;
}

/* Switches; what has a table of its own is none. */
static json_t *features(const struct policy *policy)
{
	json_t *table = json_object_get(policy->settings->config->values, "features");
	json_t *out = xjson(json_object());
	const char *name;
	json_t *value;

	json_object_foreach (table, name, value)
		if (json_is_boolean(value))
			json_object_set(out, name, value);
	return out;
}

/* What only some policies have, and later stages hold to. */
static void add_rare(json_t *member, const struct policy *policy)
{
	const json_t *values = policy->settings->config->values;
	struct from from = {.layer = LAYER_DEFAULT};
	const json_t *asking = config_get(policy->settings->config, &from, "approval_policy");
	json_t *required = json_object_get(values, "requirements");
	json_t *granular = json_object_get(asking, "granular");
	json_t *windows = json_object_get(values, "windows");

	/* Not where an option said on-request. */
	if (granular && policy->settings->approval.value == ASK_ON_REQUEST &&
	    policy->settings->approval.layer == from.layer)
		json_object_set(member, "granular", granular);
	if (windows)
		json_object_set(member, "windows", windows);
	if (required)
		json_object_set(member, "requirements", required);
}

/* What later stages need of our own settings. */
static json_t *own(const struct policy *policy)
{
	static const char *const passed[] = {"assessor",    "approver", "observe",
	                                     "accept_lost", "network",  "caches"};
	const struct settings *settings = policy->settings;
	const json_t *table = json_object_get(settings->config->values, "sbx");
	json_t *json = xjson(json_pack("{s:s,s:b}", "bwrap", bwrap_names[settings->bwrap.value],
	                               "nested", settings->nested.value));

	if (policy->debug)
		json_object_set_new(json, "debug", json_true());
	for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); i++)
		if (json_object_get(table, passed[i]))
			json_object_set(json, passed[i], json_object_get(table, passed[i]));
	return json;
}

static json_t *paths(const struct root_list *roots)
{
	json_t *list = xjson(json_array());

	for (size_t i = 0; i < roots->count; i++)
		json_array_append_new(list, os_string(roots->paths[i]));
	return list;
}

static json_t *trust(const struct trust *trust)
{
	json_t *json = xjson(json_pack("{s:s,s:o}", "level", trust_names[trust->level], "path",
	                               os_string(trust->path)));

	if (trust->content != CONTENT_NONE)
		json_object_set_new(json, "content",
		                    xjson(json_string(content_names[trust->content])));
	/* What a worktree borrows is the level alone. */
	if (trust->rules && !trust->lent)
		json_object_set_new(json, "rules", xjson(json_string(trust->rules)));
	return json;
}

/* And where the copies are kept, which the command's own environment must not say. */
static void add_caches(json_t *member, const struct policy *policy)
{
	cleanup_free char *kept = kept_place(), *home = home_named();

	if (!kept || !home)
		return;
	json_object_set_new(member, "home", os_string(home));
	json_object_set(member, "caches", policy->caches);
	json_object_set_new(member, "kept", os_string(kept));
}

/* Where the changes are kept is our caller's to say: it makes the place. */
static void add_preview(json_t *member, const struct policy *policy)
{
	if (settings_preview(policy->settings))
		json_object_set_new(member, "preview", json_true());
}

json_t *policy_member(const struct policy *policy)
{
	const struct settings *settings = policy->settings;
	json_t *member = xjson(json_pack(
	        "{s:s,s:o,s:o,s:o}", "approval_policy", approval_names[settings->approval.value],
	        "sandbox_policy", xjson(sandbox_policy(policy)), "permissions", permissions(policy),
	        "writable_roots", writable_roots_json(&policy->permissions)));
	json_t *rest = xjson(
	        json_pack("{s:s,s:o,s:o,s:o,s:o,s:o,s:{s:I,s:b,s:o},s:o}", "tmp",
	                  tmp_names[policy->tmp_private ? TMP_PRIVATE : TMP_SHARED], "workspace",
	                  os_string(policy->workspace), "shell_environment_policy",
	                  environment_policy(policy), "features", features(policy), "trust",
	                  trust(&settings->trust), "sources", sources(policy), "walk",
	                  "directories", (json_int_t)policy->walked, "cut", policy->cut,
	                  "cut_roots", paths(&policy->cut_roots), "sbx", own(policy)));

	if (limits_any(&policy->limits))
		json_object_set_new(rest, "limits", limits_json(&policy->limits));
	if (policy->hosts_limited)
		json_object_set_new(rest, "allowed_hosts", hosts_json(&policy->allowed_hosts));
	if (policy->loopback_optional)
		json_object_set_new(rest, "loopback", xjson(json_string("optional")));
	if (json_array_size(policy->caches) > 0)
		add_caches(rest, policy);
	add_preview(rest, policy);
	if (policy->passing.count > 0)
		json_object_set_new(rest, "passing", paths(&policy->passing));
	if (settings->set.name) {
		json_object_set_new(rest, "permission_set", xjson(json_string(settings->set.name)));
		json_object_set(rest, "permission_table", policy->set.values);
	}
	json_object_update(member, rest);
	json_decref(rest);
	add_rare(member, policy);
	return member;
}
