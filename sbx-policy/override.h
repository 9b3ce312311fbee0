/*
 * -c KEY=VALUE: one key of the configuration, from the command line.
 */
#ifndef SBX_POLICY_OVERRIDE_H
#define SBX_POLICY_OVERRIDE_H

#include "config.h"
#include "error.h"
#include "notes.h"

/* Merges it into overrides.  An unknown key is noted and changes nothing. */
int override_take(struct config *overrides, const char *assignment, struct notes *notes,
                  struct error *err);

#endif
