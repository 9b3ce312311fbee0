/*
 * SBX_SANDBOX_MODE and SBX_APPROVAL: does the environment ask for less?
 *
 * They stand below flags and above files, and only narrow: an environment is
 * inherited, from whoever wrote it.
 */
#ifndef SBX_POLICY_CONFIG_ENVIRONMENT_MODES_H
#define SBX_POLICY_CONFIG_ENVIRONMENT_MODES_H

#include "base/error.h"
#include "base/complain.h"
#include "config/settings.h"

int environment_narrow(struct settings *settings, struct notes *notes, struct error *err);

#endif
