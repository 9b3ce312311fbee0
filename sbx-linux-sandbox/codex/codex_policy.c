#include "codex/codex_policy.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "codex/codex_profile.h"
#include "codex/said.h"
#include "document/json_pool.h"

/* All four, so that nothing of the user's own file is added to them. */
static int workspace_write(struct strings *words, const json_t *policy, struct error *err)
{
	static const char *const flags[] = {"network_access", "exclude_tmpdir_env_var",
	                                    "exclude_slash_tmp"};
	cleanup_json json_t *none = xjson(json_array());
	const json_t *roots = json_object_get(policy, "writable_roots");

	said_config(words, "sandbox_workspace_write.writable_roots",
	            said_nothing(roots) ? none : roots);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		cleanup_free char *key = xasprintf("sandbox_workspace_write.%s", flags[i]);
		bool flag;

		if (said_truth(policy, "--sandbox-policy", flags[i], false, &flag, err) < 0)
			return -1;
		said_config(words, key, flag ? json_true() : json_false());
	}
	return 0;
}

/* true or false; where the system outside holds the network, a word. */
static int network(struct strings *words, const json_t *policy, bool outside, struct error *err)
{
	const json_t *value = json_object_get(policy, "network_access");
	bool on = outside ? said_is(value, "enabled") : json_is_true(value);

	if (!said_nothing(value) && !on &&
	    !(outside ? said_is(value, "restricted") : json_is_false(value)))
		return said_wrong(err, "--sandbox-policy", "network_access",
		                  outside ? "restricted or enabled" : "true or false");
	said_option(words, "--network", on ? "on" : "loopback");
	return 0;
}

static json_t *special(const char *kind)
{
	return xjson(json_pack("{s:s,s:{s:s}}", "type", "special", "value", "kind", kind));
}

static void add_entry(json_t *entries, json_t *path, const char *access)
{
	json_array_append_new(entries,
	                      xjson(json_pack("{s:o,s:s}", "path", path, "access", access)));
}

static int add_roots(json_t *entries, const json_t *of, const char *name, const char *access,
                     struct error *err)
{
	const json_t *roots = json_object_get(of, name);
	size_t i;
	json_t *root;

	if (!said_nothing(roots) && !json_is_array(roots))
		return said_wrong(err, "--sandbox-policy", name, "a list");
	json_array_foreach (roots, i, root)
		add_entry(entries, xjson(json_pack("{s:s,s:O}", "type", "path", "path", root)),
		          access);
	return 0;
}

/* The workspace, what is temporary unless it is excluded, and the roots. */
static int add_writable(json_t *entries, const json_t *policy, struct error *err)
{
	bool no_tmpdir, no_tmp;

	if (said_truth(policy, "--sandbox-policy", "exclude_tmpdir_env_var", false, &no_tmpdir,
	               err) < 0 ||
	    said_truth(policy, "--sandbox-policy", "exclude_slash_tmp", false, &no_tmp, err) < 0)
		return -1;
	add_entry(entries, special("project_roots"), "write");
	if (!no_tmpdir)
		add_entry(entries, special("tmpdir"), "write");
	if (!no_tmp)
		add_entry(entries, special("slash_tmp"), "write");
	return add_roots(entries, policy, "writable_roots", "write", err);
}

/* Restricted reading has no words in a mode: it is what a set says. */
static int restricted(struct strings *words, const json_t *policy, json_t *access, bool writes,
                      struct error *err)
{
	static const char *const known[] = {"type", "include_platform_defaults", "readable_roots",
	                                    NULL};
	cleanup_json json_t *entries = xjson(json_array());
	cleanup_json json_t *profile = NULL;
	bool defaults, network;

	if (said_only(access, "--sandbox-policy: access", known, err) < 0 ||
	    said_truth(access, "--sandbox-policy", "include_platform_defaults", true, &defaults,
	               err) < 0 ||
	    said_truth(policy, "--sandbox-policy", "network_access", false, &network, err) < 0)
		return -1;
	if (defaults)
		add_entry(entries, special("minimal"), "read");
	add_entry(entries, special("project_roots"), "read");
	if (add_roots(entries, access, "readable_roots", "read", err) < 0 ||
	    (writes && add_writable(entries, policy, err) < 0))
		return -1;
	profile = xjson(json_pack("{s:s,s:s,s:{s:s,s:O}}", "type", "managed", "network",
	                          network ? "enabled" : "restricted", "file_system", "type",
	                          "restricted", "entries", entries));
	return codex_profile(words, profile, err);
}

int codex_policy(struct strings *words, json_t *policy, struct error *err)
{
	static const char *const modes[] = {"read-only", "workspace-write", "danger-full-access",
	                                    "external-sandbox"};
	static const char *const known[][8] = {
	        {"type", "access", "network_access"},
	        {"type", "read_only_access", "writable_roots", "network_access",
	         "exclude_tmpdir_env_var", "exclude_slash_tmp"},
	        {"type"},
	        {"type", "network_access"},
	};
	const json_t *type = json_object_get(policy, "type");
	json_t *access;
	size_t i = 0;

	while (i < 4 && !said_is(type, modes[i]))
		i++;
	if (i == 4)
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "--sandbox-policy: type: not a known policy");
	if (said_only(policy, "--sandbox-policy", known[i], err) < 0)
		return -1;
	access = json_object_get(policy, i == 1 ? "read_only_access" : "access");
	if (said_is(json_object_get(access, "type"), "restricted"))
		return restricted(words, policy, access, i == 1, err);
	if (!said_nothing(access) && !said_is(json_object_get(access, "type"), "full-access"))
		return said_wrong(err, "--sandbox-policy", "access", "full-access or restricted");
	said_option(words, "--sandbox", modes[i]);
	return i == 1   ? workspace_write(words, policy, err)
	       : i == 2 ? 0
	                : network(words, policy, i == 3, err);
}
