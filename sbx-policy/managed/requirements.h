/*
 * Does the managed configuration allow what was chosen?
 */
#ifndef SBX_POLICY_CONFIG_REQUIREMENTS_H
#define SBX_POLICY_CONFIG_REQUIREMENTS_H

#include "base/complain.h"
#include "base/error.h"
#include "config/settings.h"
#include "policy/permissions.h"

/* A choice outside is an error, a default outside falls back and is noted. */
int settings_require(struct settings *settings, struct notes *notes, struct error *err);

/* A permission set that opens everything is danger-full-access by another name. */
int settings_require_set(const struct settings *settings, const struct permissions *permissions,
                         struct notes *notes, struct error *err);

#endif
