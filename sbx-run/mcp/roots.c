#include "mcp/roots.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "rpc/message.h"

#include <string.h>

static int hex(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
	                              : -1;
}

/* In place; NULL: not such a text, or a NUL in it. */
static char *percent_decoded(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++, to++) {
		int high, low;

		*to = *from;
		if (*from != '%')
			continue;
		high = hex(from[1]);
		low = high < 0 ? -1 : hex(from[2]);
		if (low < 0 || (high == 0 && low == 0))
			return NULL;
		*to = (char)(high * 16 + low);
		from += 2;
	}
	*to = '\0';
	return text;
}

/* The path of a file: URI of this machine, to be freed; else NULL. */
static char *path_of(const char *uri)
{
	static const char *const begins[] = {"file:///", "file://localhost/"};

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		size_t len = strlen(begins[i]);
		char *path;

		if (strncmp(uri, begins[i], len) != 0)
			continue;
		path = xstrdup(uri + len - 1);
		path[strcspn(path, "?#")] = '\0';
		if (percent_decoded(path))
			return path;
		free(path);
	}
	return NULL;
}

json_t *roots_read(const json_t *result)
{
	const json_t *list = json_object_get(result, "roots");
	json_t *paths;

	if (!json_is_array(list))
		return NULL;
	paths = xjson(json_array());
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *uri = plain_text(json_object_get(json_array_get(list, i), "uri"));
		cleanup_free char *path = uri ? path_of(uri) : NULL;

		/* What is no place here is none to work in. */
		if (path)
			json_array_append_new(paths, os_string(path));
	}
	return paths;
}
