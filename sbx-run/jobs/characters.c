#include "jobs/characters.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"

#include <string.h>

/* How long the character is that begins so; 1 where none does. */
static size_t announced(unsigned char first)
{
	return first >= 0xf0 && first < 0xf8 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
}

size_t whole_characters(const char *bytes, size_t len)
{
	for (size_t back = 1; back < 4 && back <= len; back++) {
		unsigned char c = (unsigned char)bytes[len - back];

		if ((c & 0xc0) == 0x80)
			continue;
		return announced(c) > back ? len - back : len;
	}
	return len;
}

json_t *readable(const char *bytes, size_t len)
{
	static const char unknown[] = "\xef\xbf\xbd";
	json_t *text = json_stringn(bytes, len);
	cleanup_free char *out = NULL;
	size_t used = 0;

	if (text)
		return text;
	out = xmalloc(3 * len + 1);
	for (size_t i = 0; i < len;) {
		uint32_t character;
		int size = text_character(bytes + i, len - i, &character);

		memcpy(out + used, size > 0 ? bytes + i : unknown, size > 0 ? (size_t)size : 3);
		used += size > 0 ? (size_t)size : 3;
		i += size > 0 ? (size_t)size : 1;
	}
	return xjson(json_stringn(out, used));
}
