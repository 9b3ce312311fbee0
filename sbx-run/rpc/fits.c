#include "rpc/fits.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_list.h"
#include "rpc/message.h"

#include <stdbool.h>
#include <string.h>

static bool is_of_type(const json_t *value, const char *type)
{
	static const struct {
		const char *name;
		json_type type;
	} types[] = {{"object", JSON_OBJECT},   {"array", JSON_ARRAY},  {"string", JSON_STRING},
	             {"integer", JSON_INTEGER}, {"null", JSON_NULL},    {"number", JSON_INTEGER},
	             {"number", JSON_REAL},     {"boolean", JSON_TRUE}, {"boolean", JSON_FALSE}};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, type) == 0 && json_typeof(value) == types[i].type)
			return true;
	return false;
}

/* The bound that a value does not keep, or NULL. */
static const char *broken_bound(const json_t *schema, const json_t *value)
{
	static const struct {
		const char *name;
		json_type type;
		bool least;
	} bounds[] = {{"minimum", JSON_REAL, true},
	              {"maximum", JSON_REAL, false},
	              {"minLength", JSON_STRING, true},
	              {"minItems", JSON_ARRAY, true},
	              {"maxItems", JSON_ARRAY, false}};

	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		const json_t *bound = json_object_get(schema, bounds[i].name);
		json_type type = json_is_number(value) ? JSON_REAL : json_typeof(value);
		double size = json_is_string(value)  ? (double)json_string_length(value)
		              : json_is_array(value) ? (double)json_array_size(value)
		                                     : json_number_value(value);

		if (!bound || type != bounds[i].type)
			continue;
		if (bounds[i].least ? size < json_number_value(bound)
		                    : size > json_number_value(bound))
			return bounds[i].name;
	}
	return NULL;
}

static char *misfit_members(const json_t *schema, json_t *value, const char *name)
{
	const json_t *known = json_object_get(schema, "properties");
	const json_t *others = json_object_get(schema, "additionalProperties");
	const json_t *required = json_object_get(schema, "required");
	const char *key;
	json_t *member;

	for (size_t i = 0; i < json_array_size(required); i++)
		if (!json_object_get(value, json_string_value(json_array_get(required, i))))
			return xasprintf("%s: \"%s\" is missing", name,
			                 json_string_value(json_array_get(required, i)));
	json_object_foreach (value, key, member) {
		const json_t *its = json_object_get(known, key);
		cleanup_free char *path = xasprintf("%s.%s", name, key);
		char *wrong;

		if (!its && json_is_false(others))
			return xasprintf("%s: there is no such member", path);
		its = its ? its : others;
		wrong = json_is_object(its) ? misfit(its, member, path) : NULL;
		if (wrong)
			return wrong;
	}
	return NULL;
}

static char *misfit_items(const json_t *schema, const json_t *value, const char *name)
{
	const json_t *items = json_object_get(schema, "items");

	for (size_t i = 0; items && i < json_array_size(value); i++) {
		cleanup_free char *path = xasprintf("%s[%zu]", name, i);
		char *wrong = misfit(items, json_array_get(value, i), path);

		if (wrong)
			return wrong;
	}
	return NULL;
}

/* The reason of the last of them: the others are of another type. */
static char *misfit_any(const json_t *choices, json_t *value, const char *name)
{
	char *wrong = NULL;

	for (size_t i = 0; i < json_array_size(choices); i++) {
		free(wrong);
		wrong = misfit(json_array_get(choices, i), value, name);
		if (!wrong)
			return NULL;
	}
	return wrong;
}

char *misfit(const json_t *schema, json_t *value, const char *name)
{
	const char *type = json_string_value(json_object_get(schema, "type"));
	const json_t *choices = json_object_get(schema, "enum");
	const char *bound;

	if (json_object_get(schema, "anyOf"))
		return misfit_any(json_object_get(schema, "anyOf"), value, name);
	if (type && !is_of_type(value, type))
		return xasprintf("%s: expected %s %s", name, strchr("aio", type[0]) ? "an" : "a",
		                 type);
	if (choices && !json_list_has(choices, value))
		return xasprintf("%s: none of the words that are known", name);
	if (json_is_string(value) && !plain_text(value))
		return xasprintf("%s: a NUL in it", name);
	bound = broken_bound(schema, value);
	if (bound)
		return xasprintf("%s: %s is %g", name, bound,
		                 json_number_value(json_object_get(schema, bound)));
	if (json_is_object(value))
		return misfit_members(schema, value, name);
	return json_is_array(value) ? misfit_items(schema, value, name) : NULL;
}
