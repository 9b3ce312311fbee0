/*
 * Which limits hold, and who says so?
 */
#ifndef SBX_POLICY_RESOLVE_CHOSEN_LIMITS_H
#define SBX_POLICY_RESOLVE_CHOSEN_LIMITS_H

#include "base/complain.h"
#include "entries/policy.h"

/*
 * Of [limits], the permission set and --limit the last that says one; never
 * more than an administrator allows, which is noted where it narrows.
 */
void limits_resolve(struct policy *policy, struct notes *notes);

#endif
