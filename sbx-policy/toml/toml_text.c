/*
 * Is it text at all, where in it is an error, and how is that said?
 */
#include "toml/toml_parser.h"

#include "base/clean_text.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/*
 * No control character but tab, line feed and the CR before one may stand
 * anywhere in TOML, comments included.  Looking once, first, frees every
 * other function from thinking of NUL, of half characters and of CR.
 */
int toml_check(struct toml_parser *p)
{
	const char *s = p->start;

	while (s < p->end) {
		unsigned char c = (unsigned char)*s;
		uint32_t character;
		int len = 1;

		if (c >= 0x80) {
			len = text_character(s, (size_t)(p->end - s), &character);
			if (len == 0)
				return toml_fail(p, s, "byte 0x%02x is not UTF-8 text", c);
		} else if (c == '\r') {
			if (p->end - s < 2 || s[1] != '\n')
				return toml_fail(p, s, "a carriage return without a line feed");
		} else if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f) {
			return toml_fail(p, s, "control character 0x%02x", c);
		}
		s += len;
	}
	return 0;
}

/*
 * Callers ask in the order of the text, so counting goes on from the last
 * answer and all of it together is one pass.  Only an error looks back.
 */
struct toml_place toml_place_of(struct toml_parser *p, const char *at)
{
	if (at < p->mark) {
		p->mark = p->start;
		p->mark_place = (struct toml_place){1, 1};
	}
	for (; p->mark < at; p->mark++) {
		if (*p->mark == '\n') {
			p->mark_place.line++;
			p->mark_place.column = 1;
		} else if ((*p->mark & 0xc0) != 0x80) {
			p->mark_place.column++;
		}
	}
	return p->mark_place;
}

int toml_fail(struct toml_parser *p, const char *at, const char *fmt, ...)
{
	struct toml_place place = toml_place_of(p, at);
	char what[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	/* The reason must survive a name of any length. */
	return error_set(p->err, EXIT_INPUT, "bad-toml", "%.448s:%u:%u: %s", p->name, place.line,
	                 place.column, what);
}

int toml_expected(struct toml_parser *p, const char *what)
{
	uint32_t c = 0;

	if (p->at == p->end)
		return toml_fail(p, p->at, "expected %s, found the end of the text", what);
	if (*p->at == '\n' || *p->at == '\r')
		return toml_fail(p, p->at, "expected %s, found the end of the line", what);
	text_character(p->at, (size_t)(p->end - p->at), &c);
	if (c > ' ' && c < 0x7f)
		return toml_fail(p, p->at, "expected %s, found '%c'", what, (char)c);
	return toml_fail(p, p->at, "expected %s, found U+%04X", what, (unsigned)c);
}

const char *toml_shown(char buffer[48], struct toml_slice key)
{
	size_t len = key.len;

	if (len > 36) {
		len = 36;
		while (len && (key.bytes[len] & 0xc0) == 0x80)
			len--;
	}
	snprintf(buffer, 48, "\"%.*s%s\"", (int)len, key.bytes, len < key.len ? "..." : "");
	return buffer;
}

char *toml_decoded(struct toml_parser *p)
{
	/* One more than the text: a number is decoded with a NUL behind it. */
	if (!p->decoded)
		p->decoded = xmalloc((size_t)(p->end - p->start) + 1);
	return p->decoded + p->decoded_used;
}
