/*
 * What outlives a run?  A folder, $CODEX_HOME.
 *
 * What is kept there decides what later commands may write, so nobody but the
 * user may write it, and two programs never change it at the same time.
 */
#ifndef SBX_WINTOKEN_SID_FILE_H
#define SBX_WINTOKEN_SID_FILE_H

#include "base/error.h"

#include <stddef.h>

struct store; /* open, and locked until it is closed */

/* Makes the folder when it is not there. */
struct store *store_open(const char *home, struct error *err);
void store_close(struct store *store);

static inline void cleanup_store_(struct store **store)
{
	if (*store)
		store_close(*store);
}
#define cleanup_store __attribute__((cleanup(cleanup_store_)))

/* The text of cap_sid, "" when there is none; NULL on failure. */
char *store_read(const struct store *store, struct error *err);

/* Replaces it, as a whole or not at all. */
int store_write(const struct store *store, const char *text, struct error *err);

/* Bytes that nobody can guess. */
int store_random(void *bytes, size_t len, struct error *err);

#endif
