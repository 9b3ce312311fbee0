/*
 * shell_environment_policy.filters: which variables does it include and exclude?
 */
#ifndef SBX_POLICY_CONFIG_ENVIRONMENT_FILTERS_H
#define SBX_POLICY_CONFIG_ENVIRONMENT_FILTERS_H

#include "base/error.h"
#include "config/config.h"

/* One file has either this table or the two lists that it is the newer form of. */
int filters_agree(const struct config *config, struct error *err);

/* Adds them to "include_only" and "exclude" of a policy for the environment. */
void filters_apply(const struct config *config, json_t *policy);

#endif
