#include "config/config.h"

#include "base/memory.h"

void config_begin(struct config *config)
{
	config->values = xjson(json_object());
	config->origins = xjson(json_object());
}

void config_free(struct config *config)
{
	json_decref(config->values);
	json_decref(config->origins);
	*config = (struct config){0};
}

json_t *config_origin(enum layer layer, const char *source)
{
	return xjson(json_pack("[i,s]", (int)layer, source));
}

struct from config_from(const json_t *origin)
{
	const char *source = json_string_value(json_array_get(origin, 1));

	return (struct from){(enum layer)json_integer_value(json_array_get(origin, 0)),
	                     source ? source : "default"};
}

static void merge(json_t *values, json_t *origins, json_t *more, json_t *more_origins)
{
	const char *key;
	json_t *value;

	json_object_foreach (more, key, value) {
		json_t *origin = json_object_get(more_origins, key);
		json_t *old = json_object_get(origins, key);

		if (json_is_object(origin) && json_is_object(old)) {
			merge(json_object_get(values, key), old, value, origin);
			continue;
		}
		json_object_set_new(values, key, xjson(json_deep_copy(value)));
		json_object_set_new(origins, key, xjson(json_deep_copy(origin)));
	}
}

void config_merge(struct config *into, const struct config *layer)
{
	if (json_object_size(layer->values) == 0)
		return;
	merge(into->values, into->origins, layer->values, layer->origins);
}

void config_merge_key(struct config *into, const struct config *layer, const char *key)
{
	json_t *value = json_object_get(layer->values, key);
	struct config one;

	if (!value)
		return;
	config_begin(&one);
	json_object_set(one.values, key, value);
	json_object_set(one.origins, key, json_object_get(layer->origins, key));
	config_merge(into, &one);
	config_free(&one);
}

/* What a profile says counts as the profile's, whichever file it stands in. */
static void relabel(json_t *origins, enum layer layer)
{
	const char *key;
	json_t *origin;

	json_object_foreach (origins, key, origin) {
		if (json_is_object(origin))
			relabel(origin, layer);
		else
			json_array_set_new(origin, 0, xjson(json_integer((json_int_t)layer)));
	}
}

bool config_merge_table(struct config *into, const struct config *from, const char *table,
                        const char *name, enum layer layer)
{
	json_t *values = json_object_get(json_object_get(from->values, table), name);
	json_t *origins = json_object_get(json_object_get(from->origins, table), name);
	struct config copy;

	if (!json_is_object(values))
		return false;
	copy = (struct config){xjson(json_deep_copy(values)), xjson(json_deep_copy(origins))};
	relabel(copy.origins, layer);
	config_merge(into, &copy);
	config_free(&copy);
	return true;
}

const json_t *config_find(const struct config *config, const char *const *path, struct from *from)
{
	const json_t *value = config->values, *origin = config->origins;

	for (; *path && value; path++) {
		value = json_object_get(value, *path);
		origin = json_object_get(origin, *path);
	}
	if (value && from)
		*from = config_from(origin);
	return value;
}
