#include "advise/shell_quote.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

char *quote_shell(const char *word)
{
	cleanup_free char *clean = text_clean(word);
	char *out, *p;

	if (strcmp(clean, word) == 0)
		return text_quote(word);
	p = out = xmalloc(strlen(word) * 4 + 4);
	p += sprintf(p, "$'");
	for (const char *s = word; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c < 0x20 || c >= 0x7f)
			p += sprintf(p, "\\x%02x", c);
		else
			p += sprintf(p, "%s%c", c == '\'' || c == '\\' ? "\\" : "", c);
	}
	strcpy(p, "'");
	return out;
}

char *quote_toml(const char *word)
{
	size_t left = strlen(word);
	/* The longest escape of one byte is \u001b, of four \U000e0001. */
	cleanup_free char *out = xmalloc(left * 6 + 3);
	char *p = out;

	*p++ = '"';
	while (left > 0) {
		uint32_t c;
		int len = text_character(word, left, &c);

		if (len == 0)
			return NULL;
		if (c == '"' || c == '\\')
			p += sprintf(p, "\\%c", (int)c);
		else if (c < 0x20 || c == 0x7f || (c < 0x10000 && text_deceives(c)))
			p += sprintf(p, "\\u%04x", c);
		else if (text_deceives(c))
			p += sprintf(p, "\\U%08x", c);
		else
			p += sprintf(p, "%.*s", len, word);
		word += len;
		left -= (size_t)len;
	}
	strcpy(p, "\"");
	return keep_ptr(out);
}

char *quote_key(const char *word)
{
	static const char bare[] =
	        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

	if (*word && word[strspn(word, bare)] == '\0')
		return xstrdup(word);
	return quote_toml(word);
}
