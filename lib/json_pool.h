/*
 * Memory for JSON values, for a program that reads documents by the hundred
 * thousand: blocks of a few sizes that are used again at once, instead of the
 * general allocator's bookkeeping.
 */
#ifndef SBX_JSON_POOL_H
#define SBX_JSON_POOL_H

#include <jansson.h>

/*
 * jansson's reader passes over a byte of a string for which it gets no memory,
 * and goes on: the command would be another one.  From then on there is memory
 * or there is no program.  Every program does this as it begins.
 */
void json_memory_is_checked(void);

/* First thing in main().  From then on what json_dumps() returns is not for free(). */
void json_pool_use(void);

/* json_dumps(), with text for free() in any case. */
char *json_text_dump(const json_t *value, size_t flags);

#endif
