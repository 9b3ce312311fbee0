/*
 * Which names stay closed, also for files made later?  permissions.deny_globs.
 */
#ifndef SBX_SEATBELT_DENIED_NAMES_H
#define SBX_SEATBELT_DENIED_NAMES_H

#include "policy/permissions.h"
#include "profile.h"

/* `globs` may be NULL.  After every rule that allows. */
int denied_names_write(char *const *globs, const struct permissions *permissions,
                       struct profile *profile, struct error *err);

#endif
