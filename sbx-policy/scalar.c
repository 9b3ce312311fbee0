#include "scalar.h"

#include "cleanup.h"
#include "memory.h"

#include <string.h>

static const char *skip_blank(const char *p)
{
	return p + strspn(p, " \t");
}

/* One quoted text at *p, which moves behind it; NULL when it is none. */
static json_t *read_text(const char **p)
{
	cleanup_free char *out = xmalloc(strlen(*p) + 1);
	char quote = **p, *end = out;
	const char *s = *p + 1;

	if (quote != '"' && quote != '\'')
		return NULL;
	for (; *s && *s != quote; s++) {
		if ((unsigned char)*s < 0x20 && *s != '\t')
			return NULL;
		if (quote == '"' && *s == '\\') {
			s++;
			if (*s != '"' && *s != '\\')
				return NULL;
		}
		*end++ = *s;
	}
	if (*s != quote)
		return NULL;
	*end = '\0';
	*p = s + 1;
	/* NULL as well when the bytes are not UTF-8, which TOML requires. */
	return json_string(out);
}

static json_t *read_list(const char **p)
{
	cleanup_json json_t *list = xjson(json_array());

	for (*p = skip_blank(*p + 1); **p != ']'; *p = skip_blank(*p)) {
		json_t *text = read_text(p);

		if (!text || json_array_append_new(list, text) < 0)
			return NULL;
		*p = skip_blank(*p);
		if (**p == ',')
			(*p)++;
		else if (**p != ']')
			return NULL;
	}
	(*p)++;
	return keep_ptr(list);
}

static json_t *read_value(const char **p)
{
	if (strncmp(*p, "true", 4) == 0) {
		*p += 4;
		return json_true();
	}
	if (strncmp(*p, "false", 5) == 0) {
		*p += 5;
		return json_false();
	}
	return **p == '[' ? read_list(p) : read_text(p);
}

json_t *scalar_read(const char *key, const char *text, struct error *err)
{
	const char *p = skip_blank(text);
	cleanup_json json_t *value = read_value(&p);

	if (value && *skip_blank(p) == '\0')
		return keep_ptr(value);
	error_set(err, EXIT_INPUT, "bad-config",
	          "%s: %s: expected true, false, \"text\", 'text' or a list of texts", key, text);
	return NULL;
}
