#include "override.h"

#include "cleanup.h"
#include "memory.h"
#include "osstring.h"
#include "toml.h"

#include <string.h>

struct key {
	const char *name;
	const char *const *words; /* NULL: true or false */
	size_t offset;            /* of the struct setting */
	const char *source;
};

#define KEY(name, words, member)                                                                   \
	{                                                                                          \
		name, words, offsetof(struct settings, member), "flag -c " name                    \
	}

static const struct key keys[] = {
        KEY("sandbox_mode", config_mode_names, mode),
        KEY("approval_policy", approval_names, approval),
        KEY("sandbox_workspace_write.network_access", NULL, network_access),
        KEY("sandbox_workspace_write.exclude_tmpdir_env_var", NULL, exclude_tmpdir),
        KEY("sandbox_workspace_write.exclude_slash_tmp", NULL, exclude_slash_tmp),
        KEY("sbx.bwrap", bwrap_names, bwrap),
        KEY("sbx.nested", NULL, nested),
};

#define ROOTS_KEY "sandbox_workspace_write.writable_roots"

static int put_roots(struct root_list *roots, const json_t *value, struct error *err)
{
	if (!json_is_array(value))
		return error_set(err, EXIT_INPUT, "bad-config", ROOTS_KEY ": expected a list");
	/* A list replaces the list of the layers below it. */
	root_list_free(roots);
	roots->layer = LAYER_OVERRIDE;
	roots->source = "flag -c " ROOTS_KEY;
	for (size_t i = 0; i < json_array_size(value); i++) {
		const json_t *element = json_array_get(value, i);
		const char *path = json_string_value(element);

		/* TOML can write a NUL; no path can contain one. */
		if (path && strlen(path) != json_string_length(element))
			path = NULL;

		if (!path || path[0] != '/')
			return error_set(err, EXIT_INPUT, "bad-config",
			                 ROOTS_KEY ": \"%s\": not an absolute path",
			                 path ? path : "?");
		root_list_add(roots, path);
	}
	return 0;
}

static int put_word(struct setting *setting, const struct key *key, const json_t *value,
                    struct error *err)
{
	cleanup_free char *expected = words_joined(key->words);
	int index = json_is_string(value) ? word_index(key->words, json_string_value(value)) : -1;

	if (index < 0)
		return error_set(err, EXIT_INPUT, "bad-config", "%s: expected %s", key->name,
		                 expected);
	setting_put(setting, index, LAYER_OVERRIDE, key->source);
	return 0;
}

/* The parts of a key as the table above writes them; NULL when it cannot. */
static char *dotted(char *const *parts)
{
	char *name = xstrdup(parts[0]);

	for (size_t i = 0; parts[i]; i++) {
		char *longer;

		/* "a.b" in quotes is one key and not a table's. */
		if (strchr(parts[i], '.')) {
			free(name);
			return NULL;
		}
		if (i == 0)
			continue;
		longer = xasprintf("%s.%s", name, parts[i]);
		free(name);
		name = longer;
	}
	return name;
}

static int put(struct settings *settings, const char *name, const json_t *value,
               struct notes *notes, struct error *err)
{
	if (strcmp(name, ROOTS_KEY) == 0)
		return put_roots(&settings->writable_roots, value, err);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct setting *setting = (void *)((char *)settings + keys[i].offset);

		if (strcmp(name, keys[i].name) != 0)
			continue;
		if (keys[i].words)
			return put_word(setting, &keys[i], value, err);
		if (!json_is_boolean(value))
			return error_set(err, EXIT_INPUT, "bad-config",
			                 "%s: expected true or false", name);
		setting_put(setting, json_is_true(value), LAYER_OVERRIDE, keys[i].source);
		return 0;
	}
	notes_add(notes, "config: \"%s\": unknown key, ignored", name);
	return 0;
}

int override_apply(struct settings *settings, const char *assignment, struct notes *notes,
                   struct error *err)
{
	cleanup_free char *name = NULL;
	cleanup_json json_t *value = NULL;
	struct error why = {0};
	const char *rest = NULL;
	char **parts = NULL;

	if (toml_key_prefix(assignment, &rest, &parts, &why) < 0 || *rest != '=') {
		os_vector_free(parts);
		return error_set(err, EXIT_USAGE, "usage", "--config \"%s\": expected KEY=VALUE",
		                 assignment);
	}
	name = dotted(parts);
	os_vector_free(parts);
	value = toml_value(rest + 1, "value", &why);
	if (!value)
		return error_set(err, EXIT_INPUT, "bad-config", "--config \"%s\": %s", assignment,
		                 why.message);
	return put(settings, name ? name : assignment, value, notes, err);
}
