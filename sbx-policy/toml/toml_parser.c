/*
 * The structure of a TOML text: lines, headers, keys, arrays, inline tables.
 */
#include "toml/toml_parser.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"

#include <string.h>

const struct toml_limits toml_limits_default = {.bytes = 1 << 20, .depth = 64, .keys = 100000};

/* Lines and columns are kept in 28 bits each; a column may be one more than this. */
static const size_t most_bytes = (1 << 28) - 2;

static int value(struct toml_parser *p, struct toml_slot *slot);

static int parser_begin(struct toml_parser *p, const char *text, size_t len, const char *name,
                        const struct toml_limits *limits, struct error *err)
{
	*p = (struct toml_parser){.name = name, .limits = *limits, .err = err};
	p->start = p->at = p->mark = text;
	p->end = text + len;
	p->mark_place = (struct toml_place){1, 1};
	p->parts = xrealloc_array(NULL, limits->depth, sizeof(*p->parts));
	if (len > limits->bytes || len > most_bytes)
		return error_set(err, EXIT_INPUT, "bad-toml", "%.448s:1:1: longer than %zu bytes",
		                 name, limits->bytes < most_bytes ? limits->bytes : most_bytes);
	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		p->start = p->at = p->mark = text + 3;
	return toml_check(p);
}

static void parser_end(struct toml_parser *p)
{
	free(p->parts);
	free(p->decoded);
}

#define cleanup_parser __attribute__((cleanup(parser_end)))

/* ---- white space ---- */

static void blank(struct toml_parser *p)
{
	while (p->at < p->end && (*p->at == ' ' || *p->at == '\t'))
		p->at++;
}

static void comment(struct toml_parser *p)
{
	const char *newline;

	if (toml_peek(p) != '#')
		return;
	newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
	p->at = newline ? newline : p->end;
}

static bool newline(struct toml_parser *p)
{
	/* toml_check(): a CR has its line feed. */
	if (toml_peek(p) == '\r')
		p->at++;
	if (toml_peek(p) != '\n')
		return false;
	p->at++;
	return true;
}

/* Between the elements of an array anything may stand that means nothing. */
static void gap(struct toml_parser *p)
{
	do {
		blank(p);
		comment(p);
	} while (newline(p));
}

static int end_of_line(struct toml_parser *p)
{
	blank(p);
	comment(p);
	if (p->at == p->end || newline(p))
		return 0;
	return toml_expected(p, "the end of the line");
}

/* ---- keys ---- */

static bool is_bare(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || toml_digit(c) || c == '_' ||
	       c == '-';
}

static int key_part(struct toml_parser *p)
{
	struct toml_part *part;

	if (p->part_count == p->limits.depth)
		return toml_fail(p, p->at, "nested more than %zu deep", p->limits.depth);
	part = &p->parts[p->part_count++];
	part->at = p->at;
	part->place = toml_place_of(p, p->at);
	if (toml_peek(p) == '"' || toml_peek(p) == '\'') {
		if (toml_string(p, true, &part->key) < 0)
			return -1;
		if (!p->limits.nul_keys && memchr(part->key.bytes, '\0', part->key.len))
			return toml_fail(p, part->at, "a key cannot contain NUL here");
		return 0;
	}
	while (is_bare(toml_peek(p)))
		p->at++;
	part->key = (struct toml_slice){part->at, (size_t)(p->at - part->at)};
	return part->key.len ? 0 : toml_expected(p, "a key");
}

/* A dotted key into p->parts, and the white space around it. */
static int key(struct toml_parser *p)
{
	p->part_count = 0;
	for (;;) {
		blank(p);
		if (key_part(p) < 0)
			return -1;
		blank(p);
		if (toml_peek(p) != '.')
			return 0;
		p->at++;
	}
}

/* key = value */
static int pair(struct toml_parser *p, const struct toml_slot *table)
{
	struct toml_slot slot;

	if (key(p) < 0)
		return -1;
	if (toml_peek(p) != '=')
		return toml_expected(p, "'=' or '.' after the key");
	p->at++;
	if (toml_enter_dotted(p, table, &slot) < 0)
		return -1;
	blank(p);
	return value(p, &slot);
}

/* ---- values ---- */

static int array(struct toml_parser *p, const struct toml_slot *slot)
{
	struct toml_slot inside;

	if (toml_open(p, slot, json_array(), TOML_VALUE, &inside) < 0)
		return -1;
	p->at++;
	for (;;) {
		gap(p);
		if (toml_peek(p) == ']')
			break;
		inside.part.at = p->at;
		inside.part.place = toml_place_of(p, p->at);
		if (value(p, &inside) < 0)
			return -1;
		gap(p);
		if (toml_peek(p) == ']')
			break;
		if (toml_peek(p) != ',')
			return toml_expected(p, "',' or ']' in the array");
		p->at++;
	}
	p->at++;
	return 0;
}

/* On one line, and without a comma at the end: TOML 1.0 is strict here. */
static int inline_table(struct toml_parser *p, const struct toml_slot *slot)
{
	struct toml_slot inside;

	if (toml_open(p, slot, json_object(), TOML_VALUE, &inside) < 0)
		return -1;
	p->at++;
	blank(p);
	if (toml_peek(p) == '}') {
		p->at++;
		return 0;
	}
	for (;;) {
		if (pair(p, &inside) < 0)
			return -1;
		blank(p);
		if (toml_peek(p) == '}')
			break;
		if (toml_peek(p) != ',')
			return toml_expected(p, "',' or '}' in the inline table");
		p->at++;
	}
	p->at++;
	return 0;
}

static int string(struct toml_parser *p, const struct toml_slot *slot)
{
	size_t used = p->decoded_used;
	struct toml_slice slice;

	if (toml_string(p, false, &slice) < 0)
		return -1;
	/* jansson copies, and toml_check() has seen the text. */
	p->decoded_used = used;
	return toml_put(p, slot, xjson(json_stringn_nocheck(slice.bytes, slice.len)));
}

/* The end of what is written without quotes from p->at on. */
static const char *word_end(const struct toml_parser *p)
{
	const char *s = p->at;

	while (s < p->end && (is_bare(*s) || *s == '+' || *s == '.' || *s == ':'))
		s++;
	/* "1979-05-27 07:32:00": the one value with a space in it. */
	if (s - p->at == 10 && p->at[4] == '-' && p->end - s >= 2 && *s == ' ' && toml_digit(s[1]))
		for (s++; s < p->end && (is_bare(*s) || *s == '+' || *s == '.' || *s == ':');)
			s++;
	return s;
}

static int scalar(struct toml_parser *p, const struct toml_slot *slot)
{
	const char *end = word_end(p);
	size_t len = (size_t)(end - p->at);
	json_t *found;

	if (len == 0)
		return toml_expected(p, "a value");
	if (len == 4 && memcmp(p->at, "true", 4) == 0)
		found = json_true();
	else if (len == 5 && memcmp(p->at, "false", 5) == 0)
		found = json_false();
	else if (toml_looks_like_time(p, end))
		found = toml_time(p, end);
	else
		found = toml_number(p, end);
	if (!found)
		return -1;
	p->at = end;
	return toml_put(p, slot, found);
}

static int value(struct toml_parser *p, struct toml_slot *slot)
{
	switch (toml_peek(p)) {
	case '"':
	case '\'':
		return string(p, slot);
	case '[':
		return array(p, slot);
	case '{':
		return inline_table(p, slot);
	default:
		return scalar(p, slot);
	}
}

/* ---- lines ---- */

/* [table] or [[array of tables]] */
static int header(struct toml_parser *p, const struct toml_slot *root, struct toml_slot *table)
{
	bool is_array = p->end - p->at >= 2 && p->at[1] == '[';

	p->at += is_array ? 2 : 1;
	if (key(p) < 0)
		return -1;
	if (toml_peek(p) != ']')
		return toml_expected(p, "']' or '.' in the header");
	p->at++;
	if (is_array) {
		if (toml_peek(p) != ']')
			return toml_expected(p, "']]' after the header");
		p->at++;
	}
	return toml_enter_header(p, root, is_array, table);
}

static int lines(struct toml_parser *p, const struct toml_slot *root)
{
	struct toml_slot table = *root;

	while (p->at < p->end) {
		blank(p);
		if (toml_peek(p) == '[') {
			if (header(p, root, &table) < 0)
				return -1;
		} else if (p->at < p->end && !strchr("#\r\n", *p->at)) {
			if (pair(p, &table) < 0)
				return -1;
		}
		if (end_of_line(p) < 0)
			return -1;
	}
	return 0;
}

/* ---- what others call ---- */

int toml_read_document(const char *text, size_t len, const char *name,
                       const struct toml_limits *limits, struct toml_document *document,
                       struct error *err)
{
	cleanup_parser struct toml_parser p = {0};
	struct toml_slot root = {0};

	*document = (struct toml_document){0};
	if (parser_begin(&p, text, len, name, limits ? limits : &toml_limits_default, err) < 0)
		return -1;
	document->root = root.values = xjson(json_object());
	document->places = root.places = xjson(json_object());
	if (lines(&p, &root) < 0) {
		toml_document_free(document);
		return -1;
	}
	return 0;
}

void toml_document_free(struct toml_document *document)
{
	json_decref(document->root);
	json_decref(document->places);
	*document = (struct toml_document){0};
}

json_t *toml_read(const char *text, size_t len, const char *name, struct error *err)
{
	struct toml_document document;

	if (toml_read_document(text, len, name, NULL, &document, err) < 0)
		return NULL;
	json_decref(document.places);
	return document.root;
}

json_t *toml_value(const char *text, const char *name, struct error *err)
{
	cleanup_parser struct toml_parser p = {0};
	cleanup_json json_t *values = xjson(json_array());
	cleanup_json json_t *places = xjson(json_array());
	struct toml_slot slot = {.values = values, .places = places};

	if (parser_begin(&p, text, strlen(text), name, &toml_limits_default, err) < 0)
		return NULL;
	blank(&p);
	slot.part.at = p.at;
	if (value(&p, &slot) < 0)
		return NULL;
	blank(&p);
	if (p.at != p.end) {
		toml_expected(&p, "nothing after the value");
		return NULL;
	}
	return json_incref(json_array_get(values, 0));
}

/* Reads a key and says where it ended. */
static int key_of(struct toml_parser *p, const char *text, char ***parts, struct error *err)
{
	char **list;

	if (parser_begin(p, text, strlen(text), "key", &toml_limits_default, err) < 0 || key(p) < 0)
		return -1;
	list = xrealloc_array(NULL, p->part_count + 1, sizeof(*list));
	for (size_t i = 0; i < p->part_count; i++)
		list[i] = xstrndup(p->parts[i].key.bytes, p->parts[i].key.len);
	list[p->part_count] = NULL;
	*parts = list;
	return (int)p->part_count;
}

int toml_key_prefix(const char *text, const char **rest, char ***parts, struct error *err)
{
	cleanup_parser struct toml_parser p = {0};
	int count = key_of(&p, text, parts, err);

	*rest = p.at;
	return count;
}

int toml_key(const char *text, char ***parts, struct error *err)
{
	cleanup_parser struct toml_parser p = {0};
	int count = key_of(&p, text, parts, err);

	if (count >= 0 && p.at != p.end) {
		os_vector_free(*parts);
		*parts = NULL;
		return toml_expected(&p, "nothing after the key");
	}
	return count;
}

const char *toml_type(const json_t *value)
{
	switch (json_typeof(value)) {
	case JSON_STRING:
		return "string";
	case JSON_INTEGER:
		return "integer";
	case JSON_REAL:
		return "float";
	case JSON_ARRAY:
		return "array";
	case JSON_OBJECT:
		if (json_is_null(json_object_get(value, "sealed")))
			return json_string_value(json_object_get(value, "$toml"));
		return "table";
	default:
		return "boolean";
	}
}
