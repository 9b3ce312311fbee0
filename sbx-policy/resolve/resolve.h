/*
 * What do the settings mean on this machine, in this workspace?
 */
#ifndef SBX_POLICY_RESOLVE_RESOLVE_H
#define SBX_POLICY_RESOLVE_RESOLVE_H

#include "base/error.h"
#include "base/warnings.h"
#include "entries/policy.h"
#include "git/repository.h"

/* Fills policy; `workspace` is canonical. */
int policy_resolve(struct policy *policy, const struct settings *settings,
                   const struct repository *repository, const char *workspace, struct notes *notes,
                   struct error *err);

#endif
