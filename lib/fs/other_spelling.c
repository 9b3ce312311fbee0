#include "fs/other_spelling.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* As UTF-8, from the first to the last. */
static const struct {
	const char *first, *last;
} unseen[] = {
        {"\u200c", "\u200f"}, /* joiners and marks of direction */
        {"\u202a", "\u202e"}, /* embeddings of direction */
        {"\u206a", "\u206f"}, /* shaping */
        {"\ufeff", "\ufeff"}, /* a blank of no width */
};

/* How many bytes of the name nobody sees. */
static size_t unseen_length(const char *name)
{
	for (size_t i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++) {
		size_t len = strlen(unseen[i].first);

		if (strncmp(name, unseen[i].first, len) >= 0 &&
		    strncmp(name, unseen[i].last, len) <= 0)
			return len;
	}
	return 0;
}

/* NAME~1 */
static char *long_name(const char *name)
{
	size_t len = strcspn(name, "~");

	if (len == 0 || !name[len] || !name[len + 1] ||
	    strspn(name + len + 1, "0123456789") != strlen(name + len + 1))
		return NULL;
	return xasprintf(".%.*s", (int)len, name);
}

char *plainest_spelling(const char *name)
{
	cleanup_free char *out = xmalloc(strlen(name) + 1);
	char *whole;
	size_t len = 0;

	for (size_t hidden; *name && *name != ':'; name += hidden ? hidden : 1) {
		hidden = unseen_length(name);
		if (!hidden)
			out[len++] = (char)tolower((unsigned char)*name);
	}
	while (len > 0 && (out[len - 1] == '.' || out[len - 1] == ' '))
		len--;
	out[len] = '\0';
	whole = long_name(out);
	return whole ? whole : keep_ptr(out);
}
