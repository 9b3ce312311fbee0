/*
 * The four kinds of quoted string.
 */
#include "toml/toml_parser.h"

#include <stdint.h>
#include <string.h>

/* What stands for one byte after a backslash. */
static const struct {
	char letter, byte;
} escapes[] = {
        {'b', '\b'}, {'t', '\t'}, {'n', '\n'}, {'f', '\f'}, {'r', '\r'}, {'"', '"'}, {'\\', '\\'},
};

static char *encode(char *out, uint32_t c)
{
	if (c < 0x80) {
		*out++ = (char)c;
	} else if (c < 0x800) {
		*out++ = (char)(0xc0 | c >> 6);
		*out++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*out++ = (char)(0xe0 | c >> 12);
		*out++ = (char)(0x80 | (c >> 6 & 0x3f));
		*out++ = (char)(0x80 | (c & 0x3f));
	} else {
		*out++ = (char)(0xf0 | c >> 18);
		*out++ = (char)(0x80 | (c >> 12 & 0x3f));
		*out++ = (char)(0x80 | (c >> 6 & 0x3f));
		*out++ = (char)(0x80 | (c & 0x3f));
	}
	return out;
}

static int hexadecimal(char c)
{
	if (toml_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* \uXXXX or \UXXXXXXXX, from behind the letter. */
static char *unicode(struct toml_parser *p, const char *escape, int digits, char *out)
{
	uint32_t c = 0;

	for (int i = 0; i < digits; i++, p->at++) {
		int digit = hexadecimal(toml_peek(p));

		if (digit < 0) {
			toml_fail(p, escape, "this escape needs %d hexadecimal digits", digits);
			return NULL;
		}
		c = c << 4 | (uint32_t)digit;
	}
	if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) {
		toml_fail(p, escape, "U+%04X is not a character", (unsigned)c);
		return NULL;
	}
	return encode(out, c);
}

/* A backslash that ends its line swallows all white space up to the next text. */
static bool line_continues(struct toml_parser *p)
{
	const char *s = p->at;

	while (s < p->end && (*s == ' ' || *s == '\t'))
		s++;
	if (s == p->end || (*s != '\n' && *s != '\r'))
		return false;
	while (s < p->end && (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r'))
		s++;
	p->at = s;
	return true;
}

/* One escape, from the backslash on: where the next byte goes. */
static char *escape(struct toml_parser *p, bool multiline, char *out)
{
	const char *start = p->at++;
	char letter = toml_peek(p);

	if (multiline && line_continues(p))
		return out;
	p->at++;
	if (letter == 'u')
		return unicode(p, start, 4, out);
	if (letter == 'U')
		return unicode(p, start, 8, out);
	for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++) {
		if (letter != escapes[i].letter)
			continue;
		*out++ = escapes[i].byte;
		return out;
	}
	toml_fail(p, start, "unknown escape; write \\\\ for a backslash, or use '...'");
	return NULL;
}

/* Up to the next byte that means something; -1: there is none in reach. */
static int run(struct toml_parser *p, const char *open, char quote, bool multiline)
{
	while (p->at < p->end && *p->at != quote && !(*p->at == '\\' && quote == '"') &&
	       (multiline || *p->at != '\n'))
		p->at++;
	if (p->at == p->end || *p->at == '\n')
		return toml_fail(p, open, "this string has no end%s",
		                 multiline ? "" : " on its line");
	return 0;
}

/*
 * At a quote: true when it closes the string, with p->at behind it and
 * *content behind the last quote that still belongs to the text.  A
 * multi-line string may end in one or two quotes of its own.
 */
static bool closes(struct toml_parser *p, char quote, bool multiline, const char **content)
{
	int count = 0;

	*content = p->at;
	if (!multiline) {
		p->at++;
		return true;
	}
	while (count < 5 && toml_peek(p) == quote) {
		p->at++;
		count++;
	}
	if (count < 3)
		return false;
	*content += count - 3;
	return true;
}

int toml_string(struct toml_parser *p, bool is_key, struct toml_slice *out)
{
	const char *open = p->at;
	const char quote = *open;
	bool multiline = p->end - open >= 3 && open[1] == quote && open[2] == quote;
	const char *from, *to; /* what was read and is not yet copied */
	char *copy = NULL, *next = NULL;

	if (multiline && is_key)
		return toml_fail(p, open, "a key cannot be a multi-line string");
	p->at += multiline ? 3 : 1;
	if (multiline && toml_peek(p) == '\r')
		p->at++;
	if (multiline && toml_peek(p) == '\n')
		p->at++;

	for (from = p->at;; from = p->at) {
		do {
			if (run(p, open, quote, multiline) < 0)
				return -1;
			to = p->at;
		} while (*p->at == quote && !closes(p, quote, multiline, &to));
		if (*to == quote && !copy) {
			*out = (struct toml_slice){from, (size_t)(to - from)};
			return 0;
		}
		if (!copy)
			copy = next = toml_decoded(p);
		memcpy(next, from, (size_t)(to - from));
		next += to - from;
		if (*to == quote)
			break;
		next = escape(p, multiline, next);
		if (!next)
			return -1;
	}
	*out = (struct toml_slice){copy, (size_t)(next - copy)};
	p->decoded_used += out->len;
	return 0;
}
