/*
 * Where is what is new written, before it comes to its place, and what is old put after?
 *
 * In a directory of its own for each root, on the same file system (stage_place): from
 * there to its place is one rename.
 */
#ifndef SBX_LINUX_SANDBOX_APPLY_STAGE_H
#define SBX_LINUX_SANDBOX_APPLY_STAGE_H

#include "changes/scan.h"

#define STAGE_NAME_MAX 32

/* "N.new" and "N.old" */
const char *stage_new(size_t number, char name[STAGE_NAME_MAX]);
const char *stage_old(size_t number, char name[STAGE_NAME_MAX]);

/* A directory by its path, without a link on the way, O_PATH; -1 with errno. */
int open_without_links(const char *path);

/*
 * The new file of a change, as N.new, with all that belongs to it but the times and mode
 * of a directory.  like: the number of one that it is another name of, or -1.
 */
int stage_make(int stage, const struct state *state, const struct change *change, size_t number,
               long like);

#endif
