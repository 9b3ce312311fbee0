/*
 * Which directories does workspace-write make writable?
 */
#ifndef SBX_POLICY_RESOLVE_GRANTED_ROOTS_H
#define SBX_POLICY_RESOLVE_GRANTED_ROOTS_H

#include "base/error.h"
#include "entries/workbench.h"

/* What a person listed; `what` names one of them in an error. */
int grant_roots(struct workbench *bench, const struct root_list *roots, const char *what,
                struct error *err);

/* Makes the workspace writable, unless it is a place that only a person may name. */
int grant_workspace(struct workbench *bench, struct error *err);

/* All that the mode means by itself. */
int grant_mode(struct workbench *bench, struct error *err);

#endif
