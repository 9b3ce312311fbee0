/*
 * What did the command leave in a repository's own files that git on the host
 * would follow or run?
 *
 * Only where something in such a directory is writable, by --allow git for
 * one.  A symbolic link there, at COMMIT_EDITMSG or logs/HEAD, is written
 * through by the next commit.  Neither mounts nor Landlock can forbid links in
 * one part of a writable tree, so those that are new are removed when the
 * command has ended: a link is only a name.  Files that would have git run or
 * write something (git_state.h) get another name.
 */
#ifndef SBX_LINUX_SANDBOX_REPOSITORIES_LEFT_IN_GIT_H
#define SBX_LINUX_SANDBOX_REPOSITORIES_LEFT_IN_GIT_H

#include "base/error.h"
#include "policy/permissions.h"

struct git_part;

struct git_parts {
	const struct permissions *permissions;
	struct git_part *items;
	size_t count;
};

/* Remembers what is there; the permissions must outlive it. */
int git_parts_find(const struct permissions *permissions, struct git_parts *parts,
                   struct error *err);

/* To be called when no process of the run is left. */
void git_parts_clean(struct git_parts *parts);

#endif
