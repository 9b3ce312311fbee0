#include "override.h"

#include "cleanup.h"
#include "memory.h"
#include "scalar.h"

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
		const char *path = json_string_value(json_array_get(value, i));

		if (path[0] != '/')
			return error_set(err, EXIT_INPUT, "bad-config",
			                 ROOTS_KEY ": \"%s\": not an absolute path", path);
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

int override_apply(struct settings *settings, const char *assignment, struct notes *notes,
                   struct error *err)
{
	const char *equals = strchr(assignment, '=');
	cleanup_free char *name = NULL;
	cleanup_json json_t *value = NULL;

	if (!equals || equals == assignment)
		return error_set(err, EXIT_USAGE, "usage", "--config \"%s\": expected KEY=VALUE",
		                 assignment);
	name = xstrndup(assignment, (size_t)(equals - assignment));
	name[strcspn(name, " \t")] = '\0';
	if (strcmp(name, ROOTS_KEY) == 0) {
		value = scalar_read(name, equals + 1, err);
		return value ? put_roots(&settings->writable_roots, value, err) : -1;
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct setting *setting = (void *)((char *)settings + keys[i].offset);

		if (strcmp(name, keys[i].name) != 0)
			continue;
		value = scalar_read(name, equals + 1, err);
		if (!value)
			return -1;
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
