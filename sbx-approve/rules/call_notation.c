#include "rules/call_notation.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 8

struct reader {
	const char *text;
	size_t at, len;
	unsigned line;
	const char *file;
	struct error *err;
};

static int wrong(const struct reader *r, const char *what)
{
	return error_set(r->err, EXIT_INPUT, "bad-rules", "%s:%u: %s", r->file, r->line, what);
}

static int peek(const struct reader *r)
{
	return r->at < r->len ? (unsigned char)r->text[r->at] : -1;
}

static void skip_blank(struct reader *r)
{
	for (; peek(r) >= 0; r->at++) {
		if (peek(r) == '#')
			while (peek(r) >= 0 && peek(r) != '\n')
				r->at++;
		if (peek(r) == '\n')
			r->line++;
		else if (peek(r) < 0 || !strchr(" \t\r", peek(r)))
			break;
	}
}

static bool take(struct reader *r, char c)
{
	skip_blank(r);
	if (peek(r) != c)
		return false;
	r->at++;
	return true;
}

static int escaped(struct reader *r)
{
	switch (peek(r)) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	case '\\':
	case '\'':
	case '"':
		return peek(r);
	default:
		return wrong(r, "a string with an escape other than \\n \\t \\r \\\\ \\' \\\"");
	}
}

static json_t *read_string(struct reader *r)
{
	char quote = r->text[r->at++];
	cleanup_free char *out = xmalloc(r->len - r->at + 1);
	json_t *string = NULL;
	size_t used = 0;

	if (r->at + 1 < r->len && r->text[r->at] == quote && r->text[r->at + 1] == quote) {
		wrong(r, "strings in triple quotes are not understood");
		return NULL;
	}
	for (; peek(r) != quote; r->at++) {
		int c = peek(r);

		if (c == '\\') {
			r->at++;
			c = escaped(r);
			if (c < 0)
				return NULL;
		} else if (c <= 0 || c == '\n') {
			wrong(r, "a string that is not closed on its line");
			return NULL;
		}
		out[used++] = (char)c;
	}
	r->at++;
	string = json_stringn(out, used);
	if (!string)
		wrong(r, "a string that is not UTF-8");
	return string;
}

static json_t *read_value(struct reader *r, int depth)
{
	json_t *list;

	skip_blank(r);
	if (peek(r) == '"' || peek(r) == '\'')
		return read_string(r);
	if (depth > DEPTH_MAX || !take(r, '[')) {
		wrong(r, "expected a string or a list of strings");
		return NULL;
	}
	list = xjson(json_array());
	while (!take(r, ']')) {
		json_t *value = read_value(r, depth + 1);

		if (!value || json_array_append_new(list, value) < 0) {
			json_decref(list);
			return NULL;
		}
		if (take(r, ','))
			continue;
		if (take(r, ']'))
			break;
		wrong(r, "expected , or ] in a list");
		json_decref(list);
		return NULL;
	}
	return list;
}

/* Empty when there is none. */
static char *read_name(struct reader *r)
{
	size_t start;

	skip_blank(r);
	start = r->at;
	while (peek(r) == '_' || (peek(r) < 0x80 && peek(r) >= 0 && isalnum(peek(r))))
		r->at++;
	return xstrndup(r->text + start, r->at - start);
}

static int read_argument(struct reader *r, struct call *call)
{
	cleanup_free char *name = read_name(r);
	json_t *value;

	if (*name && (!take(r, '=') || peek(r) == '='))
		return wrong(r, "expected = after the name of an argument");
	value = read_value(r, 0);
	if (!value)
		return -1;
	if (!*name && json_object_size(call->keywords) > 0) {
		json_decref(value);
		return wrong(r, "an argument without a name after one with a name");
	}
	if (*name && json_object_get(call->keywords, name)) {
		json_decref(value);
		return wrong(r, "an argument that is given twice");
	}
	if (*name)
		return json_object_set_new(call->keywords, name, value);
	return json_array_append_new(call->positional, value);
}

static int read_call(struct reader *r, struct call *call)
{
	call->start = r->at;
	call->line = r->line;
	call->positional = xjson(json_array());
	call->keywords = xjson(json_object());
	call->name = read_name(r);
	if (!*call->name || !take(r, '(')) {
		r->line = call->line;
		return wrong(r, "expected a call such as prefix_rule(...)");
	}
	while (!take(r, ')')) {
		if (read_argument(r, call) < 0)
			return -1;
		if (take(r, ','))
			continue;
		if (take(r, ')'))
			break;
		return wrong(r, "expected , or ) after an argument");
	}
	call->end = r->at;
	/* What stands on the same line belongs to a language we do not read. */
	while (peek(r) == ' ' || peek(r) == '\t' || peek(r) == '\r')
		r->at++;
	if (peek(r) >= 0 && peek(r) != '\n' && peek(r) != '#')
		return wrong(r, "expected the end of the line after a call");
	return 0;
}

int calls_read(const char *text, size_t len, const char *file, struct calls *calls,
               struct error *err)
{
	struct reader r = {.text = text, .len = len, .line = 1, .file = file, .err = err};

	*calls = (struct calls){0};
	for (skip_blank(&r); peek(&r) >= 0; skip_blank(&r)) {
		calls->calls =
		        xrealloc_array(calls->calls, calls->count + 1, sizeof(*calls->calls));
		calls->calls[calls->count] = (struct call){0};
		if (read_call(&r, &calls->calls[calls->count++]) < 0) {
			calls_free(calls);
			return -1;
		}
	}
	return 0;
}

void calls_free(struct calls *calls)
{
	for (size_t i = 0; i < calls->count; i++) {
		free(calls->calls[i].name);
		json_decref(calls->calls[i].positional);
		json_decref(calls->calls[i].keywords);
	}
	free(calls->calls);
	*calls = (struct calls){0};
}
