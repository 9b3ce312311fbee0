/*
 * Which entries does a permission set mean here?
 */
#ifndef SBX_POLICY_RESOLVE_SET_ENTRIES_H
#define SBX_POLICY_RESOLVE_SET_ENTRIES_H

#include "base/error.h"
#include "entries/workbench.h"

/* Adds those of policy->set. */
int set_apply(struct workbench *bench, struct error *err);

#endif
