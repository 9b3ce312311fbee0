/*
 * --allow NAME, and "allow" of a permission set: the entries that presets mean.
 */
#ifndef SBX_POLICY_RESOLVE_ALLOW_PRESETS_H
#define SBX_POLICY_RESOLVE_ALLOW_PRESETS_H

#include "base/error.h"
#include "git/repository.h"
#include "resolve/policy.h"

/* Adds what the presets of the settings, and of the set, mean here. */
int presets_apply(struct policy *policy, const struct repository *repository, struct error *err);

#endif
