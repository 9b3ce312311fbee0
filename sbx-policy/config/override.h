/*
 * -c KEY=VALUE: what does the command line say of one key of the configuration?
 */
#ifndef SBX_POLICY_CONFIG_OVERRIDE_H
#define SBX_POLICY_CONFIG_OVERRIDE_H

#include "base/error.h"
#include "base/warnings.h"
#include "config/config.h"

/* Merges it into overrides.  An unknown key is noted and changes nothing. */
int override_take(struct config *overrides, const char *assignment, struct notes *notes,
                  struct error *err);

#endif
