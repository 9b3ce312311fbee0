/*
 * Which links, fifos and devices did the command leave where git would follow or wait?
 */
#ifndef SBX_LINUX_SANDBOX_REPOSITORIES_LINKS_IN_GIT_H
#define SBX_LINUX_SANDBOX_REPOSITORIES_LINKS_IN_GIT_H

#include "policy/permissions.h"
#include "repositories/git_part.h"

/* Before the run those that are there are remembered; after it the others are removed. */
void links_search(const struct permissions *permissions, struct git_part *part, bool after);

#endif
