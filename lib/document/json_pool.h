/*
 * Where is the memory of JSON values?  In blocks of a few sizes that are used
 * again at once, instead of the general allocator's pages and bookkeeping: for
 * a stage that lives for a millisecond, and for one that reads documents by the
 * hundred thousand.
 */
#ifndef SBX_DOCUMENT_JSON_POOL_H
#define SBX_DOCUMENT_JSON_POOL_H

#include <jansson.h>

/*
 * Every program does this as it begins.  From then on there is memory or there
 * is no program: jansson's reader passes over a byte of a string for which it
 * gets no memory, and goes on, and the command would be another one.  What
 * json_dumps() returns is not for free().
 */
void json_pool_use(void);

/* Before a second thread: from then on all of it is malloc()'s. */
void json_pool_close(void);

/* json_dumps(), with text for free() in any case. */
char *json_text_dump(const json_t *value, size_t flags);

#endif
