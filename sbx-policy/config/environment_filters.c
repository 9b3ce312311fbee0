#include "config/environment_filters.h"

#include "base/memory.h"

#include <string.h>
#include <strings.h>

static const char table[] = "shell_environment_policy";

/* Tables of values and of where each came from. */
static json_t *filters(json_t *from)
{
	return json_object_get(json_object_get(from, table), "filters");
}

int filters_agree(const struct config *config, struct error *err)
{
	static const char *const lists[] = {"exclude", "include_only"};
	const char *pattern;
	json_t *origin;

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct from list;

		if (!config_get(config, &list, table, lists[i]))
			continue;
		json_object_foreach (filters(config->origins), pattern, origin)
			if (config_from(origin).layer == list.layer)
				return error_set(err, EXIT_INPUT, "bad-config",
				                 "%s: %s.filters: conflicts with %s (%s); remove "
				                 "one of them",
				                 config_from(origin).source, table, lists[i],
				                 list.source);
	}
	return 0;
}

/* The same pattern in other letters, in a later layer, has the last word. */
static bool is_overruled(json_t *origins, const char *pattern, enum layer layer)
{
	const char *other;
	json_t *origin;

	json_object_foreach (origins, other, origin)
		if (strcmp(other, pattern) != 0 && strcasecmp(other, pattern) == 0 &&
		    config_from(origin).layer > layer)
			return true;
	return false;
}

static void append(json_t *policy, const char *list, const char *pattern)
{
	json_t *longer = xjson(json_copy(json_object_get(policy, list)));

	json_array_append_new(longer, xjson(json_string(pattern)));
	json_object_set_new(policy, list, longer);
}

void filters_apply(const struct config *config, json_t *policy)
{
	json_t *origins = filters(config->origins);
	const char *pattern;
	json_t *word;

	json_object_foreach (filters(config->values), pattern, word) {
		struct from from = config_from(json_object_get(origins, pattern));

		if (!is_overruled(origins, pattern, from.layer))
			append(policy,
			       strcmp(json_string_value(word), "include") == 0 ? "include_only"
			                                                       : "exclude",
			       pattern);
	}
	json_object_del(policy, "filters");
	json_object_del(policy, "experimental_use_profile");
}
