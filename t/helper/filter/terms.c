/* What does one term of a filter say of a value? */
#include "filter.h"

#include <stdlib.h>
#include <string.h>

/* After the quote: a text, with what stands in \(...) put in. */
static json_t *text(json_t *in)
{
	char *made = NULL;
	size_t size;
	FILE *out = open_memstream(&made, &size);

	for (; out && *at != '"'; at++) {
		if (*at == '\0')
			ask_jq();
		if (*at != '\\') {
			putc(*at, out);
		} else if (*++at == '(') {
			at++;
			json_t *values = pipeline(in);
			if (in)
				fputs(as_text(only(values)), out);
			if (!next_is(")"))
				ask_jq();
		} else if (strchr("nt\"\\/", *at) && *at) {
			putc(*at == 'n' ? '\n' : *at == 't' ? '\t' : *at, out);
		} else {
			ask_jq();
		}
	}
	if (!out || fclose(out) != 0)
		ask_jq();
	at++;
	return sure(json_string(made));
}

static json_t *each(const json_t *values)
{
	json_t *out = list(NULL), *value;
	size_t i;

	json_array_foreach (values, i, value) {
		if (!json_is_array(value))
			ask_jq();
		json_array_extend(out, value);
	}
	return out;
}

static json_t *members(const json_t *values, const json_t *key)
{
	json_t *out = list(NULL), *value;
	size_t i;

	json_array_foreach (values, i, value)
		json_array_append(out, member(value, key));
	return out;
}

/* After a dot or a bracket: a name, a text or a number; NULL is "[]". */
json_t *step(void)
{
	json_t *key;
	char *end;

	if (*at != '[') {
		if (take("\""))
			return text(NULL);
		return sure(json_string(take_name()));
	}
	at++;
	if (take("]"))
		return NULL;
	if (take("\"")) {
		key = text(NULL);
	} else if (take("$")) {
		key = sure(json_object_get(variables, take_name()));
	} else {
		key = sure(json_integer(strtol(at, &end, 10)));
		if (end == at)
			ask_jq();
		at = end;
	}
	must("]");
	return key;
}

static json_t *postfixed(json_t *values)
{
	const json_t *key;

	for (;;) {
		if (*at == '?') {
			at++;
		} else if (*at == '[' || *at == '.') {
			at += *at == '.';
			key = step();
			values = key ? members(values, key) : each(values);
		} else {
			return values;
		}
	}
}

static json_t *dotted(json_t *in)
{
	const json_t *key;
	json_t *values = list(in);

	if (*at == '.')
		ask_jq();
	if (*at != '[' && *at != '"' && name_length() == 0)
		return values;
	key = step();
	return postfixed(key ? members(values, key) : each(values));
}

static json_t *collected(json_t *in)
{
	json_t *values = list(NULL);

	if (take("]"))
		return list(in ? values : NULL);
	values = pipeline(in);
	must("]");
	return list(in ? values : NULL);
}

static json_t *object(json_t *in)
{
	json_t *made = sure(json_object()), *values;
	const char *key;

	while (!take("}")) {
		blanks();
		bool variable = *at == '$';
		at += variable;
		key = take("\"") ? json_string_value(text(in)) : take_name();
		if (variable)
			values = list(sure(json_object_get(variables, key)));
		else if (take(":"))
			values = term(in);
		else
			values = in ? list(member(in, json_string(key))) : NULL;
		if (in)
			json_object_set(made, key, only(values));
		if (!take(",") && !next_is("}"))
			ask_jq();
	}
	return list(in ? made : NULL);
}

static json_t *number(json_t *in)
{
	char *end;
	long long value = strtoll(at, &end, 10);

	if (end == at || *end == '.' || *end == 'e' || *end == 'E' || llabs(value) > 1LL << 53)
		ask_jq();
	at = end;
	return list(in ? json_integer(value) : NULL);
}

json_t *term(json_t *in)
{
	json_t *values;

	blanks();
	if (*at >= '0' && *at <= '9')
		return number(in);
	if (take("."))
		return dotted(in);
	if (take("$"))
		return postfixed(list(in ? sure(json_object_get(variables, take_name()))
		                         : (take_name(), NULL)));
	if (take("\"")) {
		values = text(in);
		return list(in ? values : NULL);
	}
	if (take("["))
		return postfixed(collected(in));
	if (take("{"))
		return postfixed(object(in));
	if (!take("("))
		return word(in);
	values = pipeline(in);
	must(")");
	return postfixed(values);
}
