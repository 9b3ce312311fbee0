#include "document/json_list.h"

#include "base/memory.h"

#include <string.h>

bool json_list_has(const json_t *list, const json_t *value)
{
	size_t i;
	const json_t *one;

	json_array_foreach (list, i, one)
		if (json_equal(one, value))
			return true;
	return false;
}

bool json_list_has_text(const json_t *list, const char *text)
{
	size_t i;
	const json_t *one;

	json_array_foreach (list, i, one)
		if (text && json_is_string(one) && strcmp(json_string_value(one), text) == 0)
			return true;
	return false;
}

void json_list_add_text(json_t *list, const char *text)
{
	if (!json_list_has_text(list, text))
		json_array_append_new(list, xjson(json_string(text)));
}
