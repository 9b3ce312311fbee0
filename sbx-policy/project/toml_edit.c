#include "project/toml_edit.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "toml/toml.h"

#include <stdbool.h>
#include <string.h>

/* Where a place is in the text; columns count characters. */
static const char *at_place(const char *text, struct toml_place place)
{
	const char *p = text;

	for (unsigned line = 1; line < place.line; line++)
		p = strchr(p, '\n') + 1;
	for (unsigned column = 1; column < place.column; column++)
		for (p++; ((unsigned char)*p & 0xc0) == 0x80;)
			p++;
	return p;
}

/* Behind a one-line string that begins at p; NULL: it is not one. */
static const char *behind_string(const char *p)
{
	char quote = *p;

	if ((quote != '"' && quote != '\'') || (p[1] == quote && p[2] == quote))
		return NULL;
	for (p++; *p != quote; p++)
		if (*p == '\\' && quote == '"')
			p++;
	return p + 1;
}

/* Behind a list of strings; NULL: it is something else, or has a comment in it. */
static const char *behind_list(const char *p)
{
	for (p++; p && *p != ']';) {
		p += strspn(p, " \t\r\n,");
		if (*p != ']')
			p = behind_string(p);
	}
	return p ? p + 1 : NULL;
}

static const char *behind_value(const char *p)
{
	return *p == '[' ? behind_list(p) : behind_string(p);
}

/* Behind a key: bare, or a string. */
static const char *behind_key(const char *p)
{
	if (*p == '"' || *p == '\'')
		return behind_string(p);
	return p + strcspn(p, " \t=.]\r\n");
}

/* A key in the form that every path has one in. */
static char *quoted(const char *key)
{
	char *out = xmalloc(strlen(key) * 6 + 3);
	char *p = out;

	*p++ = '"';
	for (; *key; key++) {
		unsigned char c = (unsigned char)*key;

		if (c == '"' || c == '\\') {
			*p++ = '\\';
			*p++ = (char)c;
		} else if (c < 0x20 || c == 0x7f) {
			p += sprintf(p, "\\u%04x", c);
		} else {
			*p++ = (char)c;
		}
	}
	*p++ = '"';
	*p = '\0';
	return out;
}

static char *spliced(const char *text, const char *from, const char *to, const char *between)
{
	return xasprintf("%.*s%s%s", (int)(from - text), text, between, to);
}

/* The text with the value that is there already replaced; a value is written as TOML here. */
static char *replaced(const char *text, struct toml_place place, const char *value)
{
	const char *p = behind_key(at_place(text, place));
	const char *end;

	if (!p)
		return NULL;
	p += strspn(p, " \t");
	if (*p++ != '=')
		return NULL;
	p += strspn(p, " \t");
	end = behind_value(p);
	return end ? spliced(text, p, end, value) : NULL;
}

/* The text without the line that holds the key and its value alone. */
static char *removed(const char *text, struct toml_place place)
{
	const char *key = at_place(text, place);
	const char *line = key, *p = behind_key(key);

	while (line > text && line[-1] != '\n')
		line--;
	if (line + strspn(line, " \t") != key || !p)
		return NULL;
	p += strspn(p, " \t");
	if (*p++ != '=')
		return NULL;
	p = behind_value(p + strspn(p, " \t"));
	if (!p)
		return NULL;
	p += strspn(p, " \t\r");
	if (*p && *p != '\n')
		return NULL;
	return spliced(text, line, p + (*p == '\n'), "");
}

/* The text with a line behind the header of the table. */
static char *inserted(const char *text, struct toml_place place, const char *key, const char *value,
                      const char *newline)
{
	const char *key_at = at_place(text, place);
	const char *line = key_at, *end;
	cleanup_free char *between = NULL;

	while (line > text && line[-1] != '\n')
		line--;
	line += strspn(line, " \t");
	if (*line != '[')
		return NULL;
	end = strchr(key_at, '\n');
	between = xasprintf("%s%s = %s%s", end ? "" : newline, key, value, newline);
	end = end ? end + 1 : text + strlen(text);
	return spliced(text, end, end, between);
}

/* The text with a table of its own at the end. */
static char *appended(const char *text, const char *const *path, const char *value,
                      const char *newline)
{
	size_t len = strlen(text);
	cleanup_free char *name = quoted(path[1]);
	const char *gap = len == 0 ? "" : newline;

	return xasprintf("%s%s%s[%s.%s]%s%s = %s%s", text,
	                 len > 0 && text[len - 1] != '\n' ? newline : "", gap, path[0], name,
	                 newline, path[2], value, newline);
}

/* True when both texts mean the same but for the value at path. */
static bool is_right(const json_t *before, const char *text, const char *name,
                     const char *const *path, const json_t *value)
{
	struct error none = {0};
	cleanup_json json_t *after = toml_read(text, strlen(text), name, &none);
	cleanup_json json_t *expected = xjson(json_deep_copy(before));
	json_t *table = expected;

	for (; path[1]; path++) {
		json_t *below = json_object_get(table, path[0]);

		if (!below) {
			below = xjson(json_object());
			/* A name that is no UTF-8 is no key. */
			if (json_object_set_new(table, path[0], below) < 0)
				return false;
		}
		if (!json_is_object(below))
			return false;
		table = below;
	}
	if (value)
		json_object_set_new(table, path[0], xjson(json_deep_copy(value)));
	else
		json_object_del(table, path[0]);
	return after && json_equal(after, expected);
}

/* `value` is what `written` means; both NULL: the key is taken out. */
static char *edited(const char *name, const char *text, size_t len, const char *const *path,
                    const char *written, const json_t *value, struct error *err)
{
	const char *const table[] = {path[0], path[1], NULL};
	const char *newline = strstr(text, "\r\n") ? "\r\n" : "\n";
	struct toml_document document;
	cleanup_free char *out = NULL;
	struct toml_place place;
	bool there, right;

	if (toml_read_document(text, len, name, NULL, &document, err) < 0)
		return NULL;
	there = toml_find(&document, path, &place);
	if (there)
		out = written ? replaced(text, place, written) : removed(text, place);
	else if (!written)
		out = xstrdup(text);
	else if (toml_find(&document, table, &place))
		out = inserted(text, place, path[2], written, newline);
	else
		out = appended(text, path, written, newline);
	right = out && ((!there && !written) || is_right(document.root, out, name, path, value));
	toml_document_free(&document);
	if (!right) {
		error_set(err, EXIT_INPUT, "bad-config",
		          "%s: \"%s\" is written in a form that sbx-policy cannot edit; %s its "
		          "%s%s%s by hand",
		          name, path[1], written ? "set" : "remove", path[2], written ? " to " : "",
		          written ? written : "");
		return NULL;
	}
	return keep_ptr(out);
}

char *toml_edit(const char *name, const char *text, size_t len, const char *const *path,
                const char *value, struct error *err)
{
	cleanup_json json_t *string = value ? xjson(json_string(value)) : NULL;
	cleanup_free char *written = value ? quoted(value) : NULL;

	return edited(name, text, len, path, written, string, err);
}

char *toml_edit_list(const char *name, const char *text, size_t len, const char *const *path,
                     const json_t *list, struct error *err)
{
	cleanup_free char *written = json_array_size(list) ? xstrdup("[") : NULL;

	for (size_t i = 0; i < json_array_size(list); i++) {
		cleanup_free char *before = written;
		cleanup_free char *one = quoted(json_string_value(json_array_get(list, i)));

		written = xasprintf("%s%s%s%s", before, i ? ", " : "", one,
		                    i + 1 == json_array_size(list) ? "]" : "");
	}
	return edited(name, text, len, path, written, written ? list : NULL, err);
}
