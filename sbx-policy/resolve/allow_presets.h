/*
 * --allow NAME, and "allow" of a permission set: which entries do presets mean here?
 */
#ifndef SBX_POLICY_RESOLVE_ALLOW_PRESETS_H
#define SBX_POLICY_RESOLVE_ALLOW_PRESETS_H

#include "base/error.h"
#include "entries/workbench.h"

/* Adds what the presets of the settings, and of the set, mean here. */
int presets_apply(struct workbench *bench, struct error *err);

#endif
