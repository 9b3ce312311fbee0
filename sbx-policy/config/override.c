#include "config/override.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "config/keys.h"
#include "document/osstring.h"
#include "toml/toml.h"

#include <stdbool.h>
#include <string.h>

/* {"a":{"b":value}} for the key a.b */
static json_t *nested(char *const *parts, json_t *value)
{
	size_t count = 0;

	while (parts[count])
		count++;
	json_incref(value);
	while (count > 0)
		value = xjson(json_pack("{s:o}", parts[--count], value));
	return value;
}

/* What a person types without thinking of TOML: -c sbx.observe=on */
static bool is_bare_word(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char others[] = "0123456789_-";
	size_t len = strspn(text, letters);

	if (len == 0)
		return false;
	while (text[len] && (strchr(letters, text[len]) || strchr(others, text[len])))
		len++;
	return text[len] == '\0';
}

/* A word that is no TOML is a string; a key that takes something else refuses it by name. */
static json_t *value_of(const char *text, struct error *why)
{
	json_t *value = toml_value(text, "value", why);

	return !value && is_bare_word(text) ? xjson(json_string(text)) : value;
}

int override_take(struct config *overrides, const char *assignment, struct notes *notes,
                  struct error *err)
{
	cleanup_json json_t *value = NULL;
	cleanup_json json_t *table = NULL;
	cleanup_vector char **parts = NULL;
	cleanup_free char *name = NULL;
	struct layer_text layer = {.layer = LAYER_OVERRIDE};
	struct config own;
	struct error why = {0};
	const char *rest = NULL;
	int status;

	if (toml_key_prefix(assignment, &rest, &parts, &why) < 0 || *rest != '=')
		return error_set(err, EXIT_USAGE, "usage", "--config \"%s\": expected KEY=VALUE",
		                 assignment);
	value = value_of(rest + 1, &why);
	if (!value)
		return error_set(err, EXIT_INPUT, "bad-config", "--config \"%s\": %s", assignment,
		                 why.message);
	table = nested(parts, value);
	name = xasprintf("flag -c %.*s", (int)(rest - assignment), assignment);
	layer.name = name;
	config_begin(&own);
	status = keys_take(&layer, table, &own, notes, err);
	if (status == 0)
		config_merge(overrides, &own);
	config_free(&own);
	return status;
}
