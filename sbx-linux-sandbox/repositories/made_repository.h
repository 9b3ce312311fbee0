/*
 * Did the command make a writable root a repository of another version control?
 *
 * As with a planted HEAD (planted_head.h): what a tool would obey there later gets
 * another name.  Where such a repository existed before, its settings could
 * not be written.
 */
#ifndef SBX_LINUX_SANDBOX_REPOSITORIES_MADE_REPOSITORY_H
#define SBX_LINUX_SANDBOX_REPOSITORIES_MADE_REPOSITORY_H

#include "base/error.h"
#include "policy/permissions.h"

struct bare_root;

struct bare_roots {
	struct bare_root *items;
	size_t count;
};

/* Remembers which there are at the writable roots. */
int bare_roots_find(const struct permissions *permissions, struct bare_roots *roots,
                    struct error *err);

/* To be called when no process of the run is left. */
void bare_roots_restore(struct bare_roots *roots);

#endif
