#include "base/warnings.h"

#include "base/complain.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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

void notes_free(struct notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		free(notes->lines[i]);
	free(notes->lines);
}
