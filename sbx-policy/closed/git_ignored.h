/*
 * Which files of the workspace does git ignore?
 *
 * Found by a walk of our own: git itself would run what a repository's settings
 * name.  What is tracked counts as well when a line names it, since a command that
 * may write the index could track anything.
 */
#ifndef SBX_POLICY_CLOSED_GIT_IGNORED_H
#define SBX_POLICY_CLOSED_GIT_IGNORED_H

#include "base/error.h"
#include "entries/workbench.h"

/* Called for every file and directory that is ignored; what is below one is not searched. */
typedef void ignored_found(void *context, const char *path);

/*
 * The files that said so stay as they are, and no new one can be made beside them:
 * the next run reads them.  Too much to look at is an error, and so is what cannot
 * be read: the rest would be left readable.
 */
int git_ignored(struct workbench *bench, ignored_found *found, void *context, struct error *err);

#endif
