#include "grant/grant.h"

#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "policy/permissions.h"

#include <stdlib.h>
#include <string.h>

const char *const grant_lists[] = {
        [GRANT_WRITE] = "write",
        [GRANT_READ] = "read",
        [GRANT_SOCKETS] = "unix_sockets",
        [GRANT_HOSTS] = "hosts",
};

void grant_free(struct grant *grant)
{
	for (int i = 0; i < GRANT_LISTS; i++)
		os_vector_free(grant->paths[i]);
	json_decref(grant->none);
	*grant = (struct grant)GRANT_NOTHING;
}

/* An approver gives; what is denied stays so. */
static int check_host(const char *text, struct error *err)
{
	struct host_rule rule;

	if (host_rule_parse(text, &rule, err) < 0)
		return -1;
	return rule.deny ? error_set(err, EXIT_INPUT, "bad-grant",
	                             "grant.hosts: \"%s\": a grant cannot deny", text)
	                 : 0;
}

static int get_paths(const json_t *json, enum grant_list list, struct grant *grant,
                     struct error *err)
{
	const json_t *paths = json_object_get(json, grant_lists[list]);
	char what[32];

	if (!paths)
		return 0;
	snprintf(what, sizeof(what), "grant.%s", grant_lists[list]);
	grant->paths[list] = os_vector_get(paths, what, err);
	if (!grant->paths[list])
		return -1;
	for (char **path = grant->paths[list]; *path; path++)
		if (list == GRANT_HOSTS) {
			if (check_host(*path, err) < 0)
				return -1;
		} else if (!path_is_normal(*path))
			return error_set(err, EXIT_INPUT, "bad-grant",
			                 "%s: \"%s\": not a normalized absolute path", what, *path);
	return 0;
}

/* Which members there are, and what they may stand beside. */
static int check_members(const json_t *json, struct error *err)
{
	static const char *const known[] = {"write",        "read",    "network", "hosts",
	                                    "unix_sockets", "sandbox", "none"};
	const json_t *none = json_object_get(json, "none");
	const json_t *sandbox = json_object_get(json, "sandbox");
	size_t found = 0;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		found += json_object_get(json, known[i]) != NULL;
	if (!json_is_object(json) || found == 0 || found != json_object_size(json))
		return error_set(
		        err, EXIT_INPUT, "bad-grant",
		        "grant: expected write, read, network, hosts, unix_sockets or sandbox");
	if (sandbox && (found != 1U + (none != NULL) || !json_is_string(sandbox) ||
	                strcmp(json_string_value(sandbox), "none") != 0))
		return error_set(err, EXIT_INPUT, "bad-grant",
		                 "grant.sandbox: expected \"none\" and nothing beside it but none");
	if (none && (!sandbox || !json_is_array(none)))
		return error_set(err, EXIT_INPUT, "bad-grant",
		                 "grant.none: expected a list, beside sandbox");
	return 0;
}

int grant_get(const json_t *json, struct grant *grant, struct error *err)
{
	const json_t *network = json_object_get(json, "network");
	int status;

	*grant = (struct grant)GRANT_NOTHING;
	status = check_members(json, err);
	if (status == 0 && network) {
		grant->network = network_parse(json_string_value(network));
		if (grant->network < 0)
			status = error_set(err, EXIT_INPUT, "bad-grant",
			                   "grant.network: expected off, loopback, hosts or on");
	}
	for (int i = 0; status == 0 && i < GRANT_LISTS; i++)
		status = get_paths(json, (enum grant_list)i, grant, err);
	if (status < 0) {
		grant_free(grant);
		return -1;
	}
	grant->outside = json_object_get(json, "sandbox") != NULL;
	grant->none = json_incref(json_object_get(json, "none"));
	return 0;
}

int grant_get_of(const json_t *doc, struct grant *grant, struct error *err)
{
	const json_t *json = json_object_get(json_object_get(doc, "approval"), "grant");

	*grant = (struct grant)GRANT_NOTHING;
	return json && !json_is_null(json) ? grant_get(json, grant, err) : 0;
}

json_t *grant_json(const struct grant *grant)
{
	json_t *out = xjson(json_object());

	for (int i = 0; i < GRANT_LISTS; i++)
		if (grant->paths[i])
			json_object_set_new(out, grant_lists[i], os_vector(grant->paths[i]));
	if (grant->network >= 0)
		json_object_set_new(out, "network", json_string(network_names[grant->network]));
	if (grant->outside)
		json_object_set_new(out, "sandbox", json_string("none"));
	if (grant->none)
		json_object_set(out, "none", grant->none);
	return out;
}

void grant_make_canonical(struct grant *grant)
{
	struct error ignored;

	for (int list = 0; list < GRANT_PATHS; list++)
		for (char **path = grant->paths[list]; path && *path; path++) {
			char *real = path_canonical(*path, &ignored);

			if (!real)
				continue;
			free(*path);
			*path = real;
		}
}

bool grant_is_nothing(const struct grant *grant)
{
	for (int i = 0; i < GRANT_LISTS; i++)
		if (grant->paths[i])
			return false;
	return grant->network < 0 && !grant->outside;
}

static bool listed(char *const *list, const char *path)
{
	for (; list && *list; list++)
		if (strcmp(*list, path) == 0)
			return true;
	return false;
}

static void add_path(char ***list, const char *path)
{
	size_t count = 0;

	if (listed(*list, path))
		return;
	while (*list && (*list)[count])
		count++;
	*list = xrealloc_array(*list, count + 2, sizeof(**list));
	(*list)[count] = xstrdup(path);
	(*list)[count + 1] = NULL;
}

void grant_add(struct grant *grant, const struct grant *more)
{
	for (int i = 0; i < GRANT_LISTS; i++)
		for (char **path = more->paths[i]; path && *path; path++)
			add_path(&grant->paths[i], *path);
	if (more->network > grant->network)
		grant->network = more->network;
}

bool grant_includes(const struct grant *grant, const struct grant *wanted)
{
	if (grant->outside)
		return true;
	for (int i = 0; i < GRANT_LISTS; i++)
		for (char **path = wanted->paths[i]; path && *path; path++)
			if (!listed(grant->paths[i], *path))
				return false;
	return grant->network >= wanted->network;
}
