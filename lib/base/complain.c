#include "base/complain.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/fold.h"
#include "base/memory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Of a complaint on a terminal, in bytes. */
#define COMPLAINT_MAX 3000

const char *program_name = "sbx";

static const char *speaks; /* NULL: the program itself */

const char *speaker(void)
{
	return speaks ? speaks : program_name;
}

void speak_as(const char *name)
{
	speaks = name;
}

/* In one piece, so that nothing of others gets between its rows. */
static void complain_folded(const char *text, unsigned columns)
{
#ifdef _WIN32
	(void)text;
	(void)columns; /* where it is always 0 */
#else
	cleanup_free char *head = xasprintf("%s: ", speaker());
	cleanup_free char *whole = NULL;
	size_t size = 0;
	struct fold fold = {.out = open_memstream(&whole, &size), .columns = columns, .end = "\n"};

	if (!fold.out)
		return;
	fold_field(&fold, head, text, COMPLAINT_MAX, "bytes are not shown");
	if (fclose(fold.out) == 0)
		fwrite(whole, 1, size, stderr);
#endif
}

void complain(const char *fmt, ...)
{
	cleanup_free char *line = NULL;
	cleanup_free char *clean = NULL;
	int saved = errno; /* looking for a terminal changes it */
	unsigned columns = fold_columns(STDERR_FILENO);
	va_list ap;

	errno = saved;
	va_start(ap, fmt);
	if (vasprintf(&line, fmt, ap) < 0)
		line = NULL;
	va_end(ap);
	clean = text_clean(line ? line : "out of memory");
	if (columns > 0)
		complain_folded(line ? line : clean, columns);
	else
		fprintf(stderr, "%s: %s\n", speaker(), clean);
	errno = saved;
}

void notes_add(struct notes *notes, const char *fmt, ...)
{
	char *line = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&line, fmt, ap) < 0)
		line = xstrdup("out of memory");
	va_end(ap);
	list_add(notes->lines, notes->count, line);
}

void notes_print(const struct notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		complain("%s", notes->lines[i]);
}

void notes_move(struct notes *notes, struct notes *from)
{
	for (size_t i = 0; i < from->count; i++)
		list_add(notes->lines, notes->count, from->lines[i]);
	free(from->lines);
	*from = (struct notes){0};
}

void notes_free(struct notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		free(notes->lines[i]);
	free(notes->lines);
}
