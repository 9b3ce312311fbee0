#include "gitconfig.h"

#include "cleanup.h"
#include "gitfile.h"
#include "memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static void lower(char *s)
{
	for (; *s; s++)
		*s = (char)tolower((unsigned char)*s);
}

/* The name of a section; behind it, a subsection or the end of the header. */
static char *section_of(const char *header, const char **rest)
{
	size_t len = 0;
	char *name;

	while (isalnum((unsigned char)header[len]) || header[len] == '-')
		len++;
	name = xstrndup(header, len);
	lower(name);
	*rest = strchr(header, ']');
	if (*rest)
		(*rest)++;
	return name;
}

/* Without quotes, escapes, comments and the blanks at the end. */
static char *plain_value(const char *text)
{
	char *out = xmalloc(strlen(text) + 1);
	size_t used = 0, kept = 0;
	bool quoted = false;

	for (text += strspn(text, " \t"); *text && *text != '\r'; text++) {
		if (*text == '"') {
			quoted = !quoted;
			continue;
		}
		if (!quoted && (*text == '#' || *text == ';'))
			break;
		if (*text == '\\' && text[1])
			text++;
		out[used++] = *text;
		if (quoted || !isspace((unsigned char)*text))
			kept = used;
	}
	out[kept] = '\0';
	return out;
}

static void read_line(const char *section, const char *line, gitconfig_value *each, void *context)
{
	size_t len = 0;
	cleanup_free char *key = NULL;
	cleanup_free char *name = NULL;
	cleanup_free char *value = NULL;

	while (isalnum((unsigned char)line[len]) || line[len] == '-')
		len++;
	if (len == 0)
		return;
	key = xstrndup(line, len);
	lower(key);
	line += len + strspn(line + len, " \t");
	if (*line != '=')
		return;
	name = xasprintf("%s.%s", section, key);
	value = plain_value(line + 1);
	each(context, name, value);
}

void gitconfig_read(const char *gitdir, gitconfig_value *each, void *context)
{
	cleanup_free char *text = gitfile_text(gitdir, "config");
	cleanup_free char *section = xstrdup("");
	char *next = text;

	for (char *line; (line = strsep(&next, "\n")) != NULL;) {
		const char *at = line + strspn(line, " \t");

		/* A value goes on behind a backslash at the end of its line. */
		while (next && strlen(at) > 0 && at[strlen(at) - 1] == '\\') {
			char *end = line + strlen(line) - 1;

			memmove(end, next, strlen(next) + 1);
			next = end;
			strsep(&next, "\n");
		}
		if (*at == '[') {
			const char *rest;

			free(section);
			section = section_of(at + 1, &rest);
			if (!rest)
				continue;
			at = rest + strspn(rest, " \t");
		}
		read_line(section, at, each, context);
	}
}
