/*
 * Which files that git believes did the command change to its harm?
 */
#ifndef SBX_LINUX_SANDBOX_REPOSITORIES_STATES_IN_GIT_H
#define SBX_LINUX_SANDBOX_REPOSITORIES_STATES_IN_GIT_H

#include "repositories/git_part.h"

/* Before the run. */
void states_remember(struct git_part *part);

/* After it: what is harmful gets another name. */
void states_judge(const struct git_part *part);

void states_free(struct git_part *part);

#endif
