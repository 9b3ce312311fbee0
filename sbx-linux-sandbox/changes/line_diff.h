/*
 * Which lines of a text are gone in another one, and which are new?
 */
#ifndef SBX_LINUX_SANDBOX_CHANGES_LINE_DIFF_H
#define SBX_LINUX_SANDBOX_CHANGES_LINE_DIFF_H

#include <stddef.h>
#include <stdio.h>

struct text {
	const char *bytes;
	size_t size;
};

/* Writes the hunks of a unified diff, with three lines around each change. */
void line_diff(const struct text *old, const struct text *new, FILE *out);

#endif
