/* What does a word of a filter say, and what is in its brackets? */
#include "filter.h"

#include <stdlib.h>
#include <string.h>

static json_t *length_of(json_t *value)
{
	size_t length = 0;

	if (json_is_string(value))
		for (const char *byte = json_string_value(value); *byte; byte++)
			length += (*byte & 0xc0) != 0x80;
	else if (json_is_array(value) || json_is_object(value))
		length = json_is_array(value) ? json_array_size(value) : json_object_size(value);
	else if (!json_is_null(value))
		ask_jq();
	return sure(json_integer((json_int_t)length));
}

/* What stands after join and its bracket: a text. */
static json_t *joined(json_t *in)
{
	const json_t *between = only(pipeline(json_null()));
	json_t *made = NULL, *value;
	size_t i;

	must(")");
	json_array_foreach (in, i, value) {
		if (!json_is_string(value) || !json_is_string(between))
			ask_jq();
		made = made ? json_sprintf("%s%s%s", json_string_value(made),
		                           json_string_value(between), json_string_value(value))
		            : value;
	}
	if (in && !made)
		ask_jq();
	return list(made);
}

/* After map and its bracket: a filter. */
static json_t *mapped(json_t *in)
{
	const char *start = at;
	json_t *values = list(NULL), *value;
	size_t i;

	if (in && !json_is_array(in))
		ask_jq();
	pipeline(NULL);
	must(")");
	const char *end = at;
	json_array_foreach (in, i, value) {
		at = start;
		json_array_extend(values, pipeline(value));
	}
	at = end;
	return list(in ? values : NULL);
}

/* After select and its bracket: a filter. */
static json_t *selected(json_t *in)
{
	json_t *values = pipeline(in);

	must(")");
	return list(in && truth(only(values)) ? in : NULL);
}

static int by_text(const void *left, const void *right)
{
	return strcmp(json_string_value(*(json_t *const *)left),
	              json_string_value(*(json_t *const *)right));
}

/* Texts in their order; what else there is to be put in order is jq's. */
static json_t *in_order(const json_t *texts, bool once)
{
	size_t size = json_array_size(texts), i;
	json_t **all = calloc(size + 1, sizeof(*all)), *made = sure(json_array()), *value;

	if (!all || !json_is_array(texts))
		ask_jq();
	json_array_foreach (texts, i, value) {
		if (!json_is_string(value))
			ask_jq();
		all[i] = value;
	}
	qsort(all, size, sizeof(*all), by_text);
	for (i = 0; i < size; i++)
		if (!once || i == 0 || !json_equal(all[i], all[i - 1]))
			json_array_append(made, all[i]);
	return made;
}

static json_t *sorted(json_t *in)
{
	return in_order(in, false);
}

static json_t *unique(json_t *in)
{
	return in_order(in, true);
}

static json_t *keys(json_t *in)
{
	json_t *names = sure(json_array()), *value;
	const char *key;

	if (!json_is_object(in))
		ask_jq();
	json_object_foreach (in, key, value)
		json_array_append_new(names, json_string(key));
	return sorted(names);
}

static json_t *type(json_t *in)
{
	static const char *const names[] = {"object", "array",   "string",  "number",
	                                    "number", "boolean", "boolean", "null"};

	return sure(json_string(names[json_typeof(in)]));
}

static json_t *to_json(json_t *in)
{
	check(in);
	return sure(json_string(dumped(in)));
}

static json_t *from_json(json_t *in)
{
	json_error_t err;
	json_t *made =
	        json_loads(json_is_string(in) ? json_string_value(in) : "", JSON_DECODE_ANY, &err);

	check(sure(made));
	return made;
}

static json_t *to_text(json_t *in)
{
	return json_is_string(in) ? in : to_json(in);
}

static json_t *added(json_t *in)
{
	json_t *all = json_null(), *value;
	size_t i;

	if (!json_is_array(in))
		ask_jq();
	json_array_foreach (in, i, value)
		all = sum(all, value);
	return all;
}

static json_t *negated(json_t *in)
{
	return json_boolean(!truth(in));
}

static json_t *has(json_t *in, const json_t *key)
{
	if (!json_is_object(in) || !json_is_string(key))
		ask_jq();
	return json_boolean(json_object_get(in, json_string_value(key)));
}

static const char *text_of(const json_t *value)
{
	if (!json_is_string(value))
		ask_jq();
	return json_string_value(value);
}

static bool begins(const json_t *in, const json_t *with)
{
	return !strncmp(text_of(in), text_of(with), strlen(text_of(with)));
}

static json_t *starts_with(json_t *in, const json_t *with)
{
	return json_boolean(begins(in, with));
}

static json_t *ends_with(json_t *in, const json_t *with)
{
	size_t length = strlen(text_of(in)), end = strlen(text_of(with));

	return json_boolean(end <= length && !strcmp(text_of(in) + length - end, text_of(with)));
}

static json_t *contains(json_t *in, const json_t *part)
{
	return json_boolean(strstr(text_of(in), text_of(part)));
}

static json_t *without_beginning(json_t *in, const json_t *with)
{
	if (!begins(in, with))
		return in;
	return sure(json_string(text_of(in) + strlen(text_of(with))));
}

static const struct {
	const char *name;
	json_t *(*alone)(json_t *in);
	json_t *(*with)(json_t *in, const json_t *argument);
} words[] = {
        {"not", negated, NULL},
        {"length", length_of, NULL},
        {"keys", keys, NULL},
        {"sort", sorted, NULL},
        {"unique", unique, NULL},
        {"type", type, NULL},
        {"tojson", to_json, NULL},
        {"fromjson", from_json, NULL},
        {"tostring", to_text, NULL},
        {"add", added, NULL},
        {"has", NULL, has},
        {"startswith", NULL, starts_with},
        {"endswith", NULL, ends_with},
        {"contains", NULL, contains},
        {"ltrimstr", NULL, without_beginning},
};

static json_t *told(json_t *in, size_t word)
{
	json_t *argument;

	if (words[word].alone)
		return list(in ? words[word].alone(in) : NULL);
	must("(");
	argument = pipeline(in);
	must(")");
	return list(in ? words[word].with(in, only(argument)) : NULL);
}

/* After if or elif: "C then A", and what is otherwise. */
static json_t *conditional(json_t *in)
{
	json_t *condition = pipeline(in), *yes, *no;
	bool holds = in && truth(only(condition));

	if (!take_word("then"))
		ask_jq();
	yes = pipeline(holds ? in : NULL);
	if (take_word("elif"))
		return no = conditional(holds ? NULL : in), holds ? yes : no;
	if (!take_word("else"))
		ask_jq();
	no = pipeline(holds ? NULL : in);
	if (!take_word("end"))
		ask_jq();
	return holds ? yes : no;
}

json_t *word(json_t *in)
{
	if (take_word("if"))
		return conditional(in);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (take_word(words[i].name))
			return told(in, i);
	if (take_word("null"))
		return list(in ? json_null() : NULL);
	if (take_word("true"))
		return list(in ? json_true() : NULL);
	if (take_word("false"))
		return list(in ? json_false() : NULL);
	if (take_word("empty"))
		return list(NULL);
	if (take_word("map") && take("("))
		return mapped(in);
	if (take_word("select") && take("("))
		return selected(in);
	if (take_word("join") && take("("))
		return joined(in);
	ask_jq();
}
