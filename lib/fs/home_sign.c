#include "fs/home_sign.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/home_directory.h"
#include "fs/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *home_sign_path(const char *path)
{
	cleanup_free char *home = home_named();

	if (!home || !path_contains(home, path))
		return xstrdup(path);
	return xasprintf("~%s", path + strlen(home));
}

/* In quotes "~" is a letter like others: '/home/me/a b' is ~/'a b'. */
char *home_sign_words(const char *line)
{
	cleanup_free char *home = home_named();
	size_t len = home ? strlen(home) : 0, size;
	char *out = NULL;
	FILE *text = open_memstream(&out, &size);

	if (!text)
		abort();
	for (const char *at = line; *at;) {
		bool begins = at == line || at[-1] == ' ';
		bool quoted = *at == '\'';

		if (begins && home && strncmp(at + quoted, home, len) == 0 &&
		    at[quoted + len] == '/') {
			fprintf(text, "~/%s", quoted ? "'" : "");
			at += quoted + len + 1;
		} else {
			fputc(*at++, text);
		}
	}
	if (fclose(text) != 0)
		abort();
	return out;
}
