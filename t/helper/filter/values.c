/* What are values to jq: members, sums, differences, changes? */
#include "filter.h"

#include <stdlib.h>
#include <string.h>

/* Every part of a filter gives a list of values for one value. */
json_t *list(json_t *value)
{
	json_t *values = sure(json_array());

	if (value)
		json_array_append(values, value);
	return values;
}

json_t *only(json_t *values)
{
	if (json_array_size(values) != 1)
		ask_jq();
	return json_array_get(values, 0);
}

bool truth(const json_t *value)
{
	return !json_is_null(value) && !json_is_false(value);
}

/* Numbers and control bytes that the two write in different ways are jq's. */
char *dumped(const json_t *value)
{
	char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);

	if (!text || strstr(text, "\\u") || strchr(text, 0x7f))
		ask_jq();
	return text;
}

const char *as_text(const json_t *value)
{
	return json_is_string(value) ? json_string_value(value) : dumped(value);
}

void check(json_t *value)
{
	const char *key;
	json_t *part;
	size_t i;

	if (json_is_real(value) ||
	    (json_is_integer(value) && llabs(json_integer_value(value)) > 1LL << 53))
		ask_jq();
	json_array_foreach (value, i, part)
		check(part);
	json_object_foreach (value, key, part)
		check(part);
}

json_t *member(const json_t *value, const json_t *key)
{
	json_t *found = NULL;
	long long i;

	if (json_is_object(value) && json_is_string(key))
		found = json_object_get(value, json_string_value(key));
	else if (json_is_array(value) && json_is_integer(key)) {
		i = json_integer_value(key);
		found = json_array_get(value,
		                       (size_t)(i < 0 ? i + (long long)json_array_size(value) : i));
	} else if (!json_is_null(value) || !(json_is_string(key) || json_is_integer(key)))
		ask_jq();
	return found ? found : sure(json_null());
}

json_t *sum(json_t *left, json_t *right)
{
	json_t *both;

	if (json_is_null(left) || json_is_null(right))
		return json_is_null(left) ? right : left;
	if (json_typeof(left) != json_typeof(right))
		ask_jq();
	if (json_is_string(left))
		return sure(
		        json_sprintf("%s%s", json_string_value(left), json_string_value(right)));
	if (json_is_integer(left))
		return sure(json_integer(json_integer_value(left) + json_integer_value(right)));
	both = sure(json_copy(left));
	if (json_is_array(left))
		json_array_extend(both, right);
	else if (json_is_object(left))
		json_object_update(both, right);
	else
		ask_jq();
	return both;
}

/* Lists without what is in another one; numbers. */
json_t *difference(json_t *left, json_t *right)
{
	json_t *kept = sure(json_array()), *value, *other;
	size_t i, k;
	bool found;

	if (json_is_integer(left) && json_is_integer(right))
		return sure(json_integer(json_integer_value(left) - json_integer_value(right)));
	if (!json_is_array(left) || !json_is_array(right))
		ask_jq();
	json_array_foreach (left, i, value) {
		found = false;
		json_array_foreach (right, k, other)
			found = found || json_equal(value, other);
		if (!found)
			json_array_append(kept, value);
	}
	return kept;
}

/* A copy of the value in which the path leads to something else. */
json_t *changed(json_t *value, const json_t *path, size_t from, json_t *to)
{
	const json_t *key = json_array_get(path, from);
	json_t *copy, *part;

	if (!key)
		return to;
	part = changed(member(value, key), path, from + 1, to);
	copy = sure(json_is_null(value) ? json_object() : json_copy(value));
	if (json_is_object(copy) && json_is_string(key))
		json_object_set(copy, json_string_value(key), part);
	else if (!json_is_array(copy) || !json_is_integer(key) ||
	         json_array_set(copy, (size_t)json_integer_value(key), part) < 0)
		ask_jq();
	return copy;
}
