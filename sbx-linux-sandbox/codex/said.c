#include "codex/said.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"

#include <string.h>

void said_option(struct strings *words, const char *option, const char *value)
{
	strings_add(words, xstrdup(option));
	strings_add(words, xstrdup(value));
}

void said_config(struct strings *words, const char *key, const json_t *value)
{
	cleanup_free char *text = xjson(json_text_dump(value, JSON_COMPACT | JSON_ENCODE_ANY));

	strings_add(words, xstrdup("--config"));
	strings_add(words, xasprintf("%s=%s", key, text));
}

bool said_is(const json_t *value, const char *word)
{
	return json_is_string(value) && strcmp(json_string_value(value), word) == 0;
}

int said_wrong(struct error *err, const char *option, const char *where, const char *expected)
{
	return error_set(err, EXIT_INPUT, "bad-policy", "%s: %s: expected %s", option, where,
	                 expected);
}

int said_only(json_t *object, const char *option, const char *const *known, struct error *err)
{
	const char *name;
	json_t *value;

	json_object_foreach (object, name, value) {
		cleanup_free char *clean = NULL;

		if (word_among(name, known))
			continue;
		clean = text_clean(name);
		return error_set(err, EXIT_INPUT, "bad-policy", "%s: \"%s\": not known here",
		                 option, clean);
	}
	return 0;
}

bool said_nothing(const json_t *value)
{
	return !value || json_is_null(value);
}

int said_truth(const json_t *object, const char *option, const char *name, bool otherwise,
               bool *out, struct error *err)
{
	const json_t *value = json_object_get(object, name);

	*out = said_nothing(value) ? otherwise : json_is_true(value);
	if (said_nothing(value) || json_is_boolean(value))
		return 0;
	return said_wrong(err, option, name, "true or false");
}
