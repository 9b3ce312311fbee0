/*
 * What is kept of the projects that the user trusts, where they lie in a root?
 */
#ifndef SBX_POLICY_RESOLVE_TRUSTED_PROJECTS_H
#define SBX_POLICY_RESOLVE_TRUSTED_PROJECTS_H

#include "entries/workbench.h"

/* protect_project() of each, or of the repository that it is. */
void protect_trusted(struct workbench *bench, const struct root_list *roots);

#endif
