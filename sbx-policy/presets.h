/*
 * --allow NAME: entries that people ask for, from the table in share/presets.
 */
#ifndef SBX_POLICY_PRESETS_H
#define SBX_POLICY_PRESETS_H

#include "error.h"
#include "policy.h"
#include "repository.h"

/* Adds what the presets of the settings mean here. */
int presets_apply(struct policy *policy, const struct repository *repository, struct error *err);

#endif
