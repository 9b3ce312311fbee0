/*
 * Which repositories does git itself name?
 *
 * The submodules and the worktrees of the repository at a root.  A look at each is cheap however
 * large the root is.
 */
#ifndef SBX_POLICY_REPOSITORIES_NAMED_REPOSITORIES_H
#define SBX_POLICY_REPOSITORIES_NAMED_REPOSITORIES_H

#include "entries/workbench.h"

void protect_hinted(struct workbench *bench, const char *root);

#endif
