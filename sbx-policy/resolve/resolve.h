/*
 * What do the settings mean on this machine, in this workspace?
 */
#ifndef SBX_POLICY_RESOLVE_RESOLVE_H
#define SBX_POLICY_RESOLVE_RESOLVE_H

#include "base/complain.h"
#include "base/error.h"
#include "entries/policy.h"
#include "resolve/load_settings.h"

/* Fills policy, which refers to `loaded`. */
int policy_resolve(struct policy *policy, const struct loaded *loaded, struct notes *notes,
                   struct error *err);

#endif
