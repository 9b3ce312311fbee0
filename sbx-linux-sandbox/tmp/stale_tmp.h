/*
 * Which private /tmp does nobody need any more?
 *
 * One that no run has used for some days, or for one if its workspace is gone, and
 * that none holds.  The same holds for what is kept of caches.  Looked for once a
 * day, after the command has ended, and for no longer than a moment: what is
 * left then is for the next run.
 */
#ifndef SBX_LINUX_SANDBOX_TMP_STALE_TMP_H
#define SBX_LINUX_SANDBOX_TMP_STALE_TMP_H

#include "tmp/private_tmp.h"

#include <stdbool.h>

/* Nothing depends on it, so it does not fail. */
void stale_remove(const struct private_tmp *tmp, int days);

#define TMP_DAYS 7

/*
 * By who has a lock on it alone: from now on it has another name, and no run can
 * begin with it.  That name; NULL with errno.
 */
char *tree_take_away(int place, const char *name);

/* It was taken away already, and not yet removed to its end. */
bool tree_is_taken_away(const char *name);

/* Nobody has looked through this directory for a day. */
bool sweep_is_due(int place);
void sweep_is_done(int place);

/* All of a directory, whatever a command has left there, until a time of now_ms(). */
void tree_remove(int place, const char *name, long long end);

/* So that its owner can remove what is in it. */
void tree_open(int place, const char *name);

#endif
