/*
 * What is a person told that is not a failure?
 *
 * A key that nobody knows, a directory that was not granted.  main() prints
 * them.
 */
#ifndef SBX_BASE_WARNINGS_H
#define SBX_BASE_WARNINGS_H

#include <stddef.h>

struct notes {
	char **lines;
	size_t count;
};

void notes_add(struct notes *notes, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void notes_print(const struct notes *notes);
void notes_free(struct notes *notes);

#endif
