#include "sets/permission_sets.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/followed_path.h"
#include "fs/globs.h"
#include "fs/path.h"
#include "policy/words.h"
#include "sets/chosen_names.h"
#include "sets/set_entries.h"
#include "resolve/temporary_directories.h"
#include "toml/toml.h"

#include <string.h>

/* Deep enough for anybody; a circle ends here as well. */
#define EXTENDS_MAX 16

/* What the built-in sets that can be extended say. */
static const struct {
	const char *set, *key, *access;
} built_in[] = {
        {":read-only", ":root", "read"},
        {":workspace", ":root", "read"},
        {":workspace", ":slash_tmp", "write"},
        {":workspace", ":tmpdir", "write"},
        {":workspace", ":workspace_roots", "write"},
};

static bool add_built_in(struct config *set, const char *name)
{
	cleanup_free char *source = xasprintf("built-in %s", name);
	json_t *values = json_object(), *origins = json_object();
	bool known = false;

	for (size_t i = 0; i < sizeof(built_in) / sizeof(built_in[0]); i++) {
		if (strcmp(built_in[i].set, name) != 0)
			continue;
		known = true;
		json_object_set_new(values, built_in[i].key,
		                    xjson(json_string(built_in[i].access)));
		json_object_set_new(origins, built_in[i].key, config_origin(LAYER_DEFAULT, source));
	}
	json_object_set_new(set->values, "filesystem", xjson(values));
	json_object_set_new(set->origins, "filesystem", xjson(origins));
	return known;
}

/* {".": VALUE} in place of VALUE. */
static void move_below(json_t *object, const char *key)
{
	json_t *below = xjson(json_pack("{s:O}", ".", json_object_get(object, key)));

	json_object_set_new(object, key, below);
}

/* A table of paths below a place leaves the place itself as the extended set has it. */
static void keep_bases(struct config *set, const struct config *own)
{
	json_t *values = json_object_get(set->values, "filesystem");
	json_t *origins = json_object_get(set->origins, "filesystem");
	const char *key;
	json_t *value;

	json_object_foreach (json_object_get(own->values, "filesystem"), key, value)
		if (json_is_object(value) && json_is_string(json_object_get(values, key))) {
			move_below(values, key);
			move_below(origins, key);
		}
}

static int find(const struct config *config, const char *name, struct config *set, int depth,
                const char *by, struct error *err)
{
	struct from from;
	const json_t *parent = config_get(config, &from, "permissions", name, "extends");
	const char *extends = json_string_value(parent);
	bool known;

	if (depth > EXTENDS_MAX)
		return error_set(err, EXIT_INPUT, "bad-config",
		                 "%s: permissions \"%s\": extends itself, or too many others", by,
		                 name);
	if (name[0] == ':') {
		if (add_built_in(set, name))
			return 0;
		return error_set(err, EXIT_INPUT, "bad-config",
		                 "%s: extends \"%s\": expected :read-only, :workspace or a "
		                 "permission set",
		                 by, name);
	}
	if (extends && find(config, extends, set, depth + 1, from.source, err) < 0)
		return -1;
	known = config_get(config, NULL, "permissions", name) != NULL;
	if (!known)
		return error_set(err, EXIT_INPUT, "no-permissions",
		                 "%s: permissions \"%s\": no such permission set", by, name);
	{
		struct config own = {
		        json_object_get(json_object_get(config->values, "permissions"), name),
		        json_object_get(json_object_get(config->origins, "permissions"), name)};

		keep_bases(set, &own);
		config_merge(set, &own);
	}
	return 0;
}

static void add_socket(struct config *set, const char *path, const struct from *from)
{
	json_t *list = json_object_get(set->values, "unix_sockets");

	if (!list) {
		list = xjson(json_array());
		json_object_set_new(set->values, "unix_sockets", list);
		json_object_set_new(set->origins, "unix_sockets",
		                    config_origin(from->layer, from->source));
	}
	json_array_append_new(list, xjson(json_string(path)));
}

/*
 * codex lists them beside the hosts: network.unix_sockets = {"/path" = "allow"|"deny"}, or
 * "none", as it was.  None is open without that network.
 */
static int take_sockets(struct config *set, const char *name, struct error *err)
{
	static const char *const words[] = {"allow", "deny", "none", NULL};
	json_t *network = json_object_get(set->values, "network");
	json_t *table = json_object_get(network, "unix_sockets");
	struct from from = {.source = name};
	const char *path;
	json_t *value;

	config_get(set, &from, "network", "unix_sockets");
	if (table && !json_is_object(table))
		return error_set(err, EXIT_INPUT, "bad-config",
		                 "%s: network.unix_sockets: expected a table", from.source);
	json_object_foreach (table, path, value) {
		int word = word_index(words, json_string_value(value));

		config_get(set, &from, "network", "unix_sockets", path);
		if (word < 0 || (path[0] != '/' && strncmp(path, "~/", 2) != 0))
			return error_set(err, EXIT_INPUT, "bad-config",
			                 "%s: network.unix_sockets.\"%s\": expected "
			                 "an absolute path, allow or deny",
			                 from.source, path);
		if (word == 0 && json_is_true(json_object_get(network, "enabled")))
			add_socket(set, path, &from);
	}
	return 0;
}

int set_find(const struct config *config, const char *name, struct config *set, struct error *err)
{
	if (name[0] == ':' || !config_get(config, NULL, "permissions", name))
		return chosen_unknown("permissions", name, config, err);
	return find(config, name, set, 0, "permissions", err) < 0 ? -1
	                                                          : take_sockets(set, name, err);
}

int set_network(const struct config *set, const char **source)
{
	struct from from = {.source = *source};
	const json_t *value = config_get(set, &from, "network");

	if (json_is_object(value)) {
		bool listed = json_object_get(value, "domains") != NULL;

		value = config_get(set, &from, "network", "enabled");
		*source = value ? from.source : *source;
		return !json_is_true(value) ? NETWORK_UNSET : listed ? NETWORK_HOSTS : NETWORK_ON;
	}
	if (!value)
		return NETWORK_UNSET;
	*source = from.source;
	return network_parse(json_string_value(value));
}
