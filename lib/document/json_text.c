#include "document/json_text.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define DEPTH_MAX 64

/* For the few bytes of a name or a path: a call to memcpy() costs more than them. */
static inline void copy_short(char *to, const char *from, size_t len)
{
	for (; len >= 8; len -= 8, to += 8, from += 8)
		memcpy(to, from, 8);
	if (len & 4) {
		memcpy(to, from, 4);
		to += 4;
		from += 4;
	}
	if (len & 2) {
		memcpy(to, from, 2);
		to += 2;
		from += 2;
	}
	if (len & 1)
		*to = *from;
}

struct reader {
	const char *at, *end;
	enum json_text state;
	bool other;               /* something would be written in another way, or not at all */
	struct json_buffer chars; /* of the last string, if it has escapes */
};

/* What a failure means: at the end of the text more of it may still come. */
static void *odd(struct reader *r)
{
	if (r->state == JSON_TEXT_READ)
		r->state = r->at >= r->end ? JSON_TEXT_INCOMPLETE : JSON_TEXT_ODD;
	return NULL;
}

static inline int next(struct reader *r)
{
	while (r->at < r->end &&
	       (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')) {
		r->other = true;
		r->at++;
	}
	return r->at < r->end ? (unsigned char)*r->at : -1;
}

/* Bytes that stand for themselves in a string: no quote, escape or control. */
static const bool plain[256] = {
        [' ' ... '!'] = true,
        ['#' ... '['] = true,
        [']' ... 0x7f] = true,
};

/*
 * How many bytes from here on stand for themselves.  Eight at a time: a byte
 * of x below n, for n up to 128, shows in the top bit of its byte of
 * (x - n) & ~x; a quote or backslash is a zero after the exclusive or.
 */
static size_t plain_run(const char *at, const char *end)
{
	const uint64_t ones = ~(uint64_t)0 / 255, tops = ones * 128;
	const char *p = at;

	while (end - p >= 8) {
		uint64_t x, quote, escape;

		memcpy(&x, p, 8);
		quote = x ^ ones * '"';
		escape = x ^ ones * '\\';
		if (((x - ones * ' ') | (quote - ones) | (escape - ones) | x) & tops)
			break;
		p += 8;
	}
	while (p < end && plain[(unsigned char)*p])
		p++;
	return (size_t)(p - at);
}

/* As jansson writes them; what else stands for a character is odd. */
static const char escapes[256] = {
        ['"'] = '"',  ['\\'] = '\\', ['b'] = '\b', ['f'] = '\f',
        ['n'] = '\n', ['r'] = '\r',  ['t'] = '\t',
};

/* Keeps what stands before the escape, from *start on, and what it means. */
static bool read_escape(struct reader *r, const char **start)
{
	char meant = r->at + 1 < r->end ? escapes[(unsigned char)r->at[1]] : 0;

	if (!meant) {
		r->at += r->at + 1 == r->end;
		return false;
	}
	json_text_add(&r->chars, *start, (size_t)(r->at - *start));
	json_text_add(&r->chars, &meant, 1);
	*start = r->at += 2;
	return true;
}

/* The inside of a string, until the next one; at is behind its closing quote after. */
static const char *read_chars(struct reader *r, size_t *len)
{
	const char *start = ++r->at;

	r->chars.used = 0;
	for (;;) {
		uint32_t c;
		int bytes;

		r->at += plain_run(r->at, r->end);
		if (r->at >= r->end)
			return odd(r);
		if (*r->at == '"')
			break;
		if (*r->at == '\\') {
			if (!read_escape(r, &start))
				return odd(r);
			continue;
		}
		if ((unsigned char)*r->at < 0x80)
			return odd(r);
		bytes = text_character(r->at, (size_t)(r->end - r->at), &c);
		if (bytes == 0) {
			/* Cut off at the end, maybe; jansson can tell. */
			if (r->end - r->at < 4)
				r->at = r->end;
			return odd(r);
		}
		r->other |= text_deceives(c);
		r->at += bytes;
	}
	*len = (size_t)(r->at++ - start);
	if (r->chars.used == 0)
		return start;
	json_text_add(&r->chars, start, *len);
	*len = r->chars.used;
	return r->chars.text;
}

static json_t *read_integer(struct reader *r)
{
	bool negative = *r->at == '-';
	json_int_t value = 0;
	const char *start;

	r->at += negative;
	start = r->at;
	while (r->at < r->end && *r->at >= '0' && *r->at <= '9' && r->at - start < 18)
		value = value * 10 + (*r->at++ - '0');
	if (r->at >= r->end || r->at == start || (*start == '0' && r->at - start > 1) ||
	    !strchr(",]} \t\r\n", *r->at))
		return odd(r);
	r->other |= negative && value == 0;
	return json_integer(negative ? -value : value);
}

static json_t *read_word(struct reader *r, const char *word, json_t *value)
{
	size_t len = strlen(word);

	if ((size_t)(r->end - r->at) < len) {
		r->at = r->end;
		return odd(r);
	}
	if (memcmp(r->at, word, len) != 0)
		return odd(r);
	r->at += len;
	return value;
}

static json_t *read_value(struct reader *r, int depth);

static json_t *read_array(struct reader *r, int depth)
{
	cleanup_json json_t *array = xjson(json_array());

	r->at++;
	if (next(r) == ']') {
		r->at++;
		return json_incref(array);
	}
	for (;;) {
		json_t *value = read_value(r, depth);

		if (!value || json_array_append_new(array, value) < 0)
			return odd(r);
		if (next(r) == ']')
			break;
		if (next(r) != ',')
			return odd(r);
		r->at++;
	}
	r->at++;
	return json_incref(array);
}

static json_t *read_object(struct reader *r, int depth)
{
	cleanup_json json_t *object = xjson(json_object());
	size_t members = 0;

	r->at++;
	if (next(r) == '}') {
		r->at++;
		return json_incref(object);
	}
	for (;;) {
		const char *name;
		size_t len;
		json_t *value;

		if (next(r) != '"')
			return odd(r);
		name = read_chars(r, &len);
		if (!name)
			return NULL;
		/* The value is read to the same place. */
		if (r->chars.used > 0 || next(r) != ':')
			return odd(r);
		r->at++;
		value = read_value(r, depth);
		if (!value || json_object_setn_new_nocheck(object, name, len, value) < 0)
			return odd(r);
		members++;
		if (next(r) == '}')
			break;
		if (next(r) != ',')
			return odd(r);
		r->at++;
	}
	/* A name that came twice: jansson says where. */
	if (json_object_size(object) != members)
		return odd(r);
	r->at++;
	return json_incref(object);
}

static json_t *read_value(struct reader *r, int depth)
{
	const char *chars;
	size_t len;

	switch (next(r)) {
	case '"':
		chars = read_chars(r, &len);
		return chars ? json_stringn_nocheck(chars, len) : NULL;
	case '{':
		return depth < DEPTH_MAX ? read_object(r, depth + 1) : odd(r);
	case '[':
		return depth < DEPTH_MAX ? read_array(r, depth + 1) : odd(r);
	case 't':
		return read_word(r, "true", json_true());
	case 'f':
		return read_word(r, "false", json_false());
	case 'n':
		return read_word(r, "null", json_null());
	case -1:
		return odd(r);
	default:
		return read_integer(r);
	}
}

enum json_text json_text_read(const char *text, size_t len, json_t **object, size_t *used,
                              bool *compact)
{
	struct reader r = {.at = text, .end = text + len};

	*object = next(&r) == '{' ? read_object(&r, 1) : odd(&r);
	*used = (size_t)(r.at - text);
	*compact = !r.other;
	free(r.chars.text);
	return *object ? JSON_TEXT_READ : r.state;
}

static inline void reserve(struct json_buffer *b, size_t more)
{
	if (b->room - b->used >= more)
		return;
	b->room = (b->room + more) * 2 + 8192;
	b->text = xrealloc_array(b->text, b->room, 1);
}

static inline void put(struct json_buffer *b, const char *bytes, size_t len)
{
	reserve(b, len);
	if (len < 256)
		copy_short(b->text + b->used, bytes, len);
	else
		memcpy(b->text + b->used, bytes, len);
	b->used += len;
}

static void put_byte(struct json_buffer *b, char c)
{
	reserve(b, 1);
	b->text[b->used++] = c;
}

static void put_escape(struct json_buffer *b, unsigned char c)
{
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
	const char *found = strchr(from, c);
	char text[8] = {'\\', 0};

	if (c && found)
		text[1] = to[found - from];
	else
		snprintf(text, sizeof(text), "\\u%04X", c);
	put(b, text, strlen(text));
}

/* What some terminals obey, and what hides or reorders text: a person reads documents, too. */
static size_t put_deceptive(struct json_buffer *b, const char *s, const char *end)
{
	char text[16];
	uint32_t c;
	int len = text_character(s, (size_t)(end - s), &c);

	if (len == 0 || !text_deceives(c))
		return 0;
	if (c > 0xffff)
		snprintf(text, sizeof(text), "\\u%04X\\u%04X", 0xd7c0 + (c >> 10),
		         0xdc00 + (c & 0x3ff));
	else
		snprintf(text, sizeof(text), "\\u%04X", c);
	put(b, text, strlen(text));
	return (size_t)len;
}

static void put_string(struct json_buffer *b, const char *s, size_t len)
{
	const char *end = s + len;

	/* Most strings are plain from end to end. */
	reserve(b, len + 2);
	b->text[b->used++] = '"';
	while (s < end) {
		size_t run = plain_run(s, end);

		put(b, s, run);
		s += run;
		if (s == end)
			break;
		if ((unsigned char)*s < 0x80) {
			put_escape(b, (unsigned char)*s++);
			continue;
		}
		run = put_deceptive(b, s, end);
		if (run == 0)
			put_byte(b, *s);
		s += run ? run : 1;
	}
	put_byte(b, '"');
}

static int put_value(const json_t *value, struct json_buffer *b, int depth);

static int put_object(const json_t *object, struct json_buffer *b, int depth)
{
	json_t *mutable = (json_t *)(uintptr_t)object;
	bool first = true;

	put_byte(b, '{');
	for (void *i = json_object_iter(mutable); i; i = json_object_iter_next(mutable, i)) {
		const char *key = json_object_iter_key(i);

		if (!first)
			put_byte(b, ',');
		first = false;
		put_string(b, key, strlen(key));
		put_byte(b, ':');
		if (put_value(json_object_iter_value(i), b, depth) < 0)
			return -1;
	}
	put_byte(b, '}');
	return 0;
}

static int put_array(const json_t *array, struct json_buffer *b, int depth)
{
	put_byte(b, '[');
	for (size_t i = 0; i < json_array_size(array); i++) {
		if (i > 0)
			put_byte(b, ',');
		if (put_value(json_array_get(array, i), b, depth) < 0)
			return -1;
	}
	put_byte(b, ']');
	return 0;
}

static int put_real(const json_t *value, struct json_buffer *b)
{
	char text[64];
	size_t len = json_dumpb(value, text, sizeof(text), JSON_ENCODE_ANY);

	if (len == 0 || len > sizeof(text))
		return -1;
	put(b, text, len);
	return 0;
}

static void put_integer(struct json_buffer *b, json_int_t value)
{
	char digits[24];
	char *p = digits + sizeof(digits);
	uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	do
		*--p = (char)('0' + left % 10);
	while ((left /= 10) > 0);
	if (value < 0)
		*--p = '-';
	put(b, p, (size_t)(digits + sizeof(digits) - p));
}

/* Documents are trees; the limit is jansson's own, for what is not. */
static int put_value(const json_t *value, struct json_buffer *b, int depth)
{
	if (depth > 2048)
		return -1;
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		return put_object(value, b, depth + 1);
	case JSON_ARRAY:
		return put_array(value, b, depth + 1);
	case JSON_STRING:
		put_string(b, json_string_value(value), json_string_length(value));
		return 0;
	case JSON_INTEGER:
		put_integer(b, json_integer_value(value));
		return 0;
	case JSON_REAL:
		return put_real(value, b);
	case JSON_TRUE:
		put(b, "true", 4);
		return 0;
	case JSON_FALSE:
		put(b, "false", 5);
		return 0;
	case JSON_NULL:
		put(b, "null", 4);
		return 0;
	}
	return -1;
}

void json_text_add(struct json_buffer *buffer, const char *bytes, size_t len)
{
	put(buffer, bytes, len);
}

int json_text_write(const json_t *value, struct json_buffer *buffer)
{
	return value ? put_value(value, buffer, 0) : -1;
}
