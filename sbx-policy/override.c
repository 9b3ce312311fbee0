#include "override.h"

#include "cleanup.h"
#include "keys.h"
#include "memory.h"
#include "osstring.h"
#include "toml.h"

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
	value = toml_value(rest + 1, "value", &why);
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
