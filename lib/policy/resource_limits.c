#include "policy/resource_limits.h"

#include "typed/amount.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"

#include <stdlib.h>
#include <string.h>

const char *const limit_names[] = {"processes", "memory", "cpu", "tmp", "files", NULL};

/* Less than the least holds nothing that could run. */
static const struct {
	int64_t least, unit; /* of the number in a document */
	const char *form;
} forms[LIMIT_COUNT] = {
        [LIMIT_PROCESSES] = {1, 1, "a number of processes, at least 1"},
        [LIMIT_MEMORY] = {8 << 20, 1, "a size such as 512M or 1.5G, at least 8M"},
        [LIMIT_CPU] = {10, 1000, "a number of processors such as 2 or 0.5, at least 0.01"},
        [LIMIT_TMP] = {64 << 10, 1, "a size such as 512M or 1.5G, at least 64K"},
        [LIMIT_FILES] = {1, 1, "a size such as 512M or 1.5G"},
};

bool limits_any(const struct limits *limits)
{
	for (int i = 0; i < LIMIT_COUNT; i++)
		if (limits->most[i])
			return true;
	return false;
}

static int wrong(enum limit limit, const char *found, struct error *err)
{
	return error_set(err, EXIT_INPUT, "bad-limit", "%s \"%s\": expected %s", limit_names[limit],
	                 found, forms[limit].form);
}

int limit_parse(enum limit limit, const char *text, int64_t *most, struct error *err)
{
	bool counted = limit == LIMIT_PROCESSES || limit == LIMIT_CPU;
	int status =
	        counted ? decimal_parse(text, forms[limit].unit, most) : size_parse(text, most);

	return status < 0 || *most < forms[limit].least ? wrong(limit, text, err) : 0;
}

int limit_value(enum limit limit, const json_t *value, int64_t *most, struct error *err)
{
	cleanup_free char *number = NULL;
	const char *text = json_string_value(value);

	if (json_is_integer(value))
		text = number = xasprintf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		text = number = xasprintf("%.9g", json_real_value(value));

	return text ? limit_parse(limit, text, most, err) : wrong(limit, "", err);
}

char *limit_text(enum limit limit, int64_t most)
{
	if (limit == LIMIT_PROCESSES)
		return xasprintf("%lld", (long long)most);
	return limit == LIMIT_CPU ? decimal_text(most, forms[limit].unit) : size_text(most);
}

json_t *limits_json(const struct limits *limits)
{
	json_t *json = xjson(json_object());

	for (int i = 0; i < LIMIT_COUNT; i++) {
		int64_t most = limits->most[i], unit = forms[i].unit;

		if (most && most % unit == 0)
			json_object_set_new(json, limit_names[i], json_integer(most / unit));
		else if (most)
			json_object_set_new(json, limit_names[i],
			                    json_real((double)most / (double)unit));
	}
	return json;
}

int limits_get(const json_t *json, struct limits *limits, struct error *err)
{
	const char *name;
	json_t *value;

	*limits = (struct limits){{0}};
	if (json && !json_is_object(json))
		return error_set(err, EXIT_INPUT, "bad-limit", "limits: expected an object");
	json_object_foreach ((json_t *)(uintptr_t)json, name, value) {
		int limit = word_index(limit_names, name);

		/* One that is not known would not be held. */
		if (limit < 0)
			return error_set(err, EXIT_INPUT, "bad-limit",
			                 "limits: \"%s\": no such limit", name);
		if (!json_is_number(value))
			return wrong((enum limit)limit, "", err);
		if (limit_value((enum limit)limit, value, &limits->most[limit], err) < 0)
			return -1;
	}
	return 0;
}
