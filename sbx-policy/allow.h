/*
 * --allow NAME, and "allow" of a permission set: the entries that presets mean.
 */
#ifndef SBX_POLICY_ALLOW_H
#define SBX_POLICY_ALLOW_H

#include "error.h"
#include "policy.h"
#include "repository.h"

/* Adds what the presets of the settings, and of the set, mean here. */
int presets_apply(struct policy *policy, const struct repository *repository, struct error *err);

#endif
