#include "base/clean_text.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Ranges that change how the text around them looks. */
static const struct {
	uint32_t first, last;
} deceptive[] = {
        {0x0080, 0x009f},    /* C1 controls: some terminals still obey them */
        {0x00a0, 0x00a0},    /* a blank that is not counted as one */
        {0x00ad, 0x00ad},    /* soft hyphen */
        {0x034f, 0x034f},    /* grapheme joiner: nothing is seen */
        {0x0488, 0x0489},    /* marks drawn around a letter */
        {0x061c, 0x061c},    /* Arabic letter mark */
        {0x115f, 0x1160},    /* Hangul fillers: blank letters */
        {0x1680, 0x1680},    /* Ogham space */
        {0x17b4, 0x17b5},    /* Khmer vowels that are not seen */
        {0x180b, 0x180f},    /* Mongolian selectors and vowel separator */
        {0x2000, 0x200f},    /* spaces of other widths, zero width, direction marks */
        {0x2028, 0x202f},    /* line and paragraph separators, bidi embedding, narrow space */
        {0x205f, 0x206f},    /* mathematical space, word joiner, bidi isolates */
        {0x20dd, 0x20e4},    /* marks drawn around a letter */
        {0x2800, 0x2800},    /* Braille without dots: a blank */
        {0x3000, 0x3000},    /* ideographic space */
        {0x3164, 0x3164},    /* Hangul filler */
        {0xe000, 0xf8ff},    /* private: looks like whatever a font says */
        {0xfe00, 0xfe0f},    /* variation selectors */
        {0xfeff, 0xfeff},    /* byte order mark */
        {0xffa0, 0xffa0},    /* half-width Hangul filler */
        {0xfff0, 0xfffc},    /* interlinear annotation, stand-ins for objects */
        {0xe0000, 0x10ffff}, /* tags, selectors, private */
};

/* Marks that are drawn on the character before them. */
static const struct {
	uint32_t first, last;
} combining[] = {
        {0x0300, 0x036f}, {0x0483, 0x0487}, {0x1ab0, 0x1aff},
        {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe20, 0xfe2f},
};

/* More on one letter would be drawn over the rows around it. */
#define MARKS_MAX 2

bool text_deceives(uint32_t c)
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

static bool is_combining(uint32_t c)
{
	for (size_t i = 0; i < sizeof(combining) / sizeof(combining[0]); i++)
		if (c >= combining[i].first && c <= combining[i].last)
			return true;
	return false;
}

bool text_combines(const char *s, size_t left)
{
	uint32_t c = 0;

	return text_character(s, left, &c) > 0 && is_combining(c);
}

/* A mark belongs on a letter; on a blank, a sign or many others it belongs nowhere. */
static bool is_loose_mark(uint32_t c, uint32_t before, unsigned *marks)
{
	bool letter = (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') ||
	              before > 0xa0;

	if (!is_combining(c)) {
		*marks = 0;
		return false;
	}
	return !letter || ++*marks > MARKS_MAX;
}

char *text_clean(const char *text)
{
	const char *s = text;
	const char *end = s + strlen(s);
	/* The longest replacement of one byte is \x1b, of a character \u{10ffff}. */
	char *out = xmalloc((size_t)(end - s) * 5 + 16);
	char *p = out;
	uint32_t before = 0;
	unsigned marks = 0;

	while (s < end) {
		uint32_t c = 0;
		int len = text_character(s, (size_t)(end - s), &c);
		bool loose = is_loose_mark(c, before, &marks);

		before = c;
		if (len == 0 || c < 0x20 || c == 0x7f) {
			p += sprintf(p, "\\x%02x", (unsigned char)*s);
			s++;
		} else if (loose || text_deceives(c)) {
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
