/*
 * Does a person trust the project in a directory?
 */
#ifndef SBX_POLICY_TRUST_H
#define SBX_POLICY_TRUST_H

#include "config.h"
#include "repository.h"

/*
 * The nearest directory that has an entry, from the workspace up to the root
 * of its repository, then the main checkout of a linked worktree.  `given` is
 * the workspace as it was written, or NULL.
 */
void trust_find(struct trust *trust, const struct config *config,
                const struct repository *repository, const char *workspace, const char *given);

/* Which directory a decision about the workspace is written down for. */
const char *trust_key(const struct repository *repository, const char *workspace);

#endif
