#include "spelling/quote.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "spelling/utf16.h"

#include <stdio.h>
#include <string.h>

/* The longest form of an argument: every byte escaped, quotes, a space. */
static size_t room(char *const *argv)
{
	size_t total = 1;

	for (; *argv; argv++)
		total += 2 * strlen(*argv) + 4;
	return total;
}

static char *put(char *p, const char *bytes, size_t len)
{
	memcpy(p, bytes, len);
	return p + len;
}

static char *put_word(char *p, const char *word)
{
	*p++ = '"';
	for (;;) {
		size_t slashes = strspn(word, "\\");

		/* Backslashes count only before a quote, ours or the word's. */
		word += slashes;
		if (*word == '"' || *word == '\0')
			slashes *= 2;
		memset(p, '\\', slashes);
		p += slashes;
		if (*word == '\0')
			break;
		if (*word == '"')
			*p++ = '\\';
		*p++ = *word++;
	}
	*p++ = '"';
	return p;
}

static int check_length(const char *line, struct error *err)
{
	cleanup_free uint16_t *wide = NULL;
	size_t units;

	wide = wide_from(line, &units);
	if (!wide)
		return error_set(err, EXIT_INPUT, "bad-string",
		                 "command: an argument is not valid Unicode");
	if (units > QUOTE_MAX_UNITS)
		return error_set(err, EXIT_INPUT, "too-long",
		                 "command: %lu characters; Windows takes %d: pass them in a file "
		                 "or on stdin, a long plan with --plan-file",
		                 (unsigned long)units, QUOTE_MAX_UNITS);
	return 0;
}

char *quote_command(char *const *argv, struct error *err)
{
	cleanup_free char *line = xmalloc(room(argv));
	char *p = line;

	/* The first word has no escapes: it ends at the next quote. */
	if (strchr(argv[0], '"')) {
		error_set(err, EXIT_INPUT, "bad-command", "\"%s\": no file name has a quote",
		          argv[0]);
		return NULL;
	}
	*p++ = '"';
	p = put(p, argv[0], strlen(argv[0]));
	*p++ = '"';
	for (argv++; *argv; argv++) {
		const char *word = *argv;

		*p++ = ' ';
		if (*word && word[strcspn(word, " \t\n\v\f\r\"")] == '\0')
			p = put(p, word, strlen(word));
		else
			p = put_word(p, word);
	}
	*p = '\0';
	return check_length(line, err) < 0 ? NULL : keep_ptr(line);
}

/*
 * Inside quotes cmd.exe still expands %NAME%, and a quote ends them for it
 * whatever stands before: no escape is read alike by it and by the batch file.
 */
static int check_for_batch(const char *word, size_t i, struct error *err)
{
	for (const char *p = word; *p; p++)
		if (*p == '"' || *p == '%' || *p == '!' || (unsigned char)*p < 0x20)
			return error_set(err, EXIT_INPUT, "bad-argument",
			                 "argument %lu: has a quote, percent sign, exclamation "
			                 "mark or control character, which a batch file would "
			                 "interpret: call what it calls",
			                 (unsigned long)i);
	return 0;
}

char *quote_batch(const char *cmd, const char *batch, char *const *arguments, struct error *err)
{
	cleanup_free char *line = xmalloc(room(arguments) + 2 * (strlen(cmd) + strlen(batch)) + 64);
	char *p = line;

	if (check_for_batch(batch, 0, err) < 0)
		return NULL;
	/* /d: no AutoRun of the registry.  /s: the outer quotes, and no others, go. */
	p += sprintf(p, "\"%s\" /d /e:on /v:off /s /c \"\"%s\"", cmd, batch);
	for (size_t i = 0; arguments[i]; i++) {
		if (check_for_batch(arguments[i], i + 1, err) < 0)
			return NULL;
		*p++ = ' ';
		*p++ = '"';
		p = put(p, arguments[i], strlen(arguments[i]));
		*p++ = '"';
	}
	*p++ = '"';
	*p = '\0';
	return check_length(line, err) < 0 ? NULL : keep_ptr(line);
}
