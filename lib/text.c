#include "text.h"

#include "cleanup.h"
#include "memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

const char *program_name = "sbx";

/* Ranges that change how the text around them looks. */
static const struct {
	uint32_t first, last;
} deceptive[] = {
        {0x0080, 0x009f},   /* C1 controls: some terminals still obey them */
        {0x00ad, 0x00ad},   /* soft hyphen */
        {0x061c, 0x061c},   /* Arabic letter mark */
        {0x115f, 0x1160},   /* Hangul fillers: blank letters */
        {0x180e, 0x180e},   /* Mongolian vowel separator */
        {0x200b, 0x200f},   /* zero width, direction marks */
        {0x2028, 0x202e},   /* line and paragraph separators, bidi embedding */
        {0x2060, 0x206f},   /* word joiner, bidi isolates */
        {0x3164, 0x3164},   /* Hangul filler */
        {0xfe00, 0xfe0f},   /* variation selectors */
        {0xfeff, 0xfeff},   /* byte order mark */
        {0xfff9, 0xfffb},   /* interlinear annotation */
        {0xe0000, 0xe0fff}, /* tags */
};

static bool is_deceptive(uint32_t c)
{
	for (size_t i = 0; i < sizeof(deceptive) / sizeof(deceptive[0]); i++)
		if (c >= deceptive[i].first && c <= deceptive[i].last)
			return true;
	return false;
}

int text_character(const char *text, size_t left, uint32_t *out)
{
	const unsigned char *s = (const unsigned char *)text;
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	int len = s[0] < 0x80       ? 1
	          : s[0] >> 5 == 6  ? 2
	          : s[0] >> 4 == 14 ? 3
	          : s[0] >> 3 == 30 ? 4
	                            : 0;
	uint32_t c;

	if (len == 0 || (size_t)len > left)
		return 0;
	c = len == 1 ? s[0] : s[0] & (0x7fU >> len);
	for (int i = 1; i < len; i++) {
		if (s[i] >> 6 != 2)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*out = c;
	return len;
}

char *text_clean(const char *text)
{
	const char *s = text;
	const char *end = s + strlen(s);
	/* The longest replacement of one byte is \x1b, of a character \u{e0fff}. */
	char *out = xmalloc((size_t)(end - s) * 4 + 16);
	char *p = out;

	while (s < end) {
		uint32_t c = 0;
		int len = text_character(s, (size_t)(end - s), &c);

		if (len == 0 || c < 0x20 || c == 0x7f) {
			p += sprintf(p, "\\x%02x", (unsigned char)*s);
			s++;
		} else if (is_deceptive(c)) {
			p += sprintf(p, "\\u{%x}", c);
			s += len;
		} else {
			memcpy(p, s, (size_t)len);
			p += len;
			s += len;
		}
	}
	*p = '\0';
	return out;
}

char *text_quote(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "0123456789@%+=:,./_-";
	char *out, *p;

	if (*word && word[strspn(word, plain)] == '\0')
		return xstrdup(word);
	out = p = xmalloc(strlen(word) * 4 + 3);
	*p++ = '\'';
	for (; *word; word++) {
		if (*word == '\'') {
			memcpy(p, "'\\''", 4);
			p += 4;
		} else {
			*p++ = *word;
		}
	}
	*p++ = '\'';
	*p = '\0';
	return out;
}

void complain(const char *fmt, ...)
{
	cleanup_free char *line = NULL;
	cleanup_free char *clean = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&line, fmt, ap) < 0)
		line = NULL;
	va_end(ap);
	clean = text_clean(line ? line : "out of memory");
	fprintf(stderr, "%s: %s\n", program_name, clean);
}
