/*
 * Repositories that git itself names: the submodules and the worktrees of the
 * repository at a root.  A look at each is cheap however large the root is.
 */
#ifndef SBX_POLICY_REPOSITORIES_NAMED_REPOSITORIES_H
#define SBX_POLICY_REPOSITORIES_NAMED_REPOSITORIES_H

#include "resolve/policy.h"

void protect_hinted(struct policy *policy, const char *root);

#endif
