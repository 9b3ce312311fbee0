/*
 * What happens when there is no memory left?
 *
 * The program ends: without memory for a path it cannot decide anything about
 * it.  This is the one exception to "nothing in the library exits".
 */
#ifndef SBX_BASE_MEMORY_H
#define SBX_BASE_MEMORY_H

#include <stddef.h>

/* EXIT_SYSTEM, unless the program's exit status is that of a command. */
extern int exit_without_memory;

void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc_array(void *p, size_t count, size_t size);

/* One more at the end of an array: list_add(list->items, list->count, item). */
#define list_add(items, count, ...)                                                                \
	((items) = xrealloc_array((items), (count) + 1, sizeof(*(items))),                         \
	 (items)[(count)++] = (__VA_ARGS__))

char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* jansson returns NULL when it has no memory; so does a bug.  Both end here. */
void *xjson(void *json);

#endif
