/*
 * Which configuration keys may be set, and what each of them means.
 */
#ifndef SBX_POLICY_OVERRIDE_H
#define SBX_POLICY_OVERRIDE_H

#include "error.h"
#include "notes.h"
#include "settings.h"

/* Applies -c KEY=VALUE.  An unknown key is noted and changes nothing. */
int override_apply(struct settings *settings, const char *assignment, struct notes *notes,
                   struct error *err);

#endif
