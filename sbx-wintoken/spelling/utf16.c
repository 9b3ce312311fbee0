#include "spelling/utf16.h"

#include "base/clean_text.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static char *put_character(char *p, uint32_t c)
{
	if (c < 0x80) {
		*p++ = (char)c;
	} else if (c < 0x800) {
		*p++ = (char)(0xc0 | c >> 6);
		*p++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*p++ = (char)(0xe0 | c >> 12);
		*p++ = (char)(0x80 | (c >> 6 & 0x3f));
		*p++ = (char)(0x80 | (c & 0x3f));
	} else {
		*p++ = (char)(0xf0 | c >> 18);
		*p++ = (char)(0x80 | (c >> 12 & 0x3f));
		*p++ = (char)(0x80 | (c >> 6 & 0x3f));
		*p++ = (char)(0x80 | (c & 0x3f));
	}
	return p;
}

char *wide_text(const uint16_t *units, size_t count)
{
	char *out = xmalloc(3 * count + 1), *p = out;

	for (size_t i = 0; i < count; i++) {
		uint32_t c = units[i];

		if (c >= 0xd800 && c < 0xdc00 && i + 1 < count && units[i + 1] >= 0xdc00 &&
		    units[i + 1] < 0xe000)
			c = 0x10000 + ((c - 0xd800) << 10) + (units[++i] - 0xdc00U);
		p = put_character(p, c);
	}
	*p = '\0';
	return out;
}

/* Half of a pair; text_character() knows whole characters only. */
static int half(const char *s, size_t left, uint32_t *c)
{
	if (left < 3 || (unsigned char)s[0] != 0xed || ((unsigned char)s[1] & 0xe0) != 0xa0 ||
	    ((unsigned char)s[2] & 0xc0) != 0x80)
		return 0;
	*c = 0xd000U | ((unsigned char)s[1] & 0x3fU) << 6 | ((unsigned char)s[2] & 0x3fU);
	return 3;
}

uint16_t *wide_from(const char *text, size_t *count)
{
	size_t left = strlen(text);
	uint16_t *out = xrealloc_array(NULL, left + 1, sizeof(*out));

	*count = 0;
	while (left > 0) {
		uint32_t c;
		int n = text_character(text, left, &c);

		if (n == 0)
			n = half(text, left, &c);
		if (n == 0) {
			free(out);
			return NULL;
		}
		if (c > 0xffff) {
			out[(*count)++] = (uint16_t)(0xd800 + ((c - 0x10000) >> 10));
			out[(*count)++] = (uint16_t)(0xdc00 + ((c - 0x10000) & 0x3ff));
		} else {
			out[(*count)++] = (uint16_t)c;
		}
		text += n;
		left -= (size_t)n;
	}
	out[*count] = 0;
	return out;
}
