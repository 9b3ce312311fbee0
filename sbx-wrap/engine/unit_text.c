#include "engine/unit_text.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <jansson.h>
#include <string.h>

static int check_text(const char *text, const char *what, struct error *err)
{
	json_t *json = json_string(text);

	json_decref(json);
	return json ? 0
	            : error_set(err, EXIT_UNAVAILABLE, "not-utf8",
	                        "%s: \"%s\": is not UTF-8, and this platform has no form for it",
	                        what, text);
}

char *unit_quoted(const char *text, const char *what, struct error *err)
{
	static const char digits[] = "0123456789abcdef";
	char *out, *to;

	if (check_text(text, what, err) < 0)
		return NULL;
	out = to = xmalloc(4 * strlen(text) + 3);
	*to++ = '"';
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20 || c == 0x7f) {
			*to++ = '\\';
			*to++ = 'x';
			*to++ = digits[c >> 4];
			*to++ = digits[c & 15];
			continue;
		}
		/* A percent sign begins a specifier. */
		if (c == '"' || c == '\\' || c == '%')
			*to++ = c == '%' ? '%' : '\\';
		*to++ = (char)c;
	}
	*to++ = '"';
	*to = '\0';
	return out;
}

static char *plain(const char *path, const char *quote, struct error *err)
{
	cleanup_free char *out = xmalloc(2 * strlen(path) + 1);
	char *to = out;
	size_t len = strlen(path);

	if (check_text(path, "path", err) < 0)
		return NULL;
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)path[i];

		if (c < 0x20 || c == 0x7f || c == '"' || c == '\\' || c == '\'' ||
		    (c == ' ' && i + 1 == len)) {
			error_set(err, EXIT_UNAVAILABLE, "engine",
			          "\"%s\": a unit of systemd has no form for this path", path);
			return NULL;
		}
		if (c == '%')
			*to++ = '%';
		*to++ = (char)c;
	}
	*to = '\0';
	return xasprintf("%s%s%s", quote, out, quote);
}

char *unit_path(const char *path, struct error *err)
{
	return plain(path, "\"", err);
}

char *unit_line(const char *path, struct error *err)
{
	return plain(path, "", err);
}
