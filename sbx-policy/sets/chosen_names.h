/*
 * Which profiles and permission sets can be chosen by name?
 */
#ifndef SBX_POLICY_RESOLVE_CHOSEN_NAMES_H
#define SBX_POLICY_RESOLVE_CHOSEN_NAMES_H

#include "base/error.h"
#include "config/config.h"

#include <stdio.h>

/* "profiles" or "permissions": each name in a line. */
int chosen_list(const struct config *config, const char *what, FILE *out, struct error *err);

/* -1, always: there is no such "profile" or "permissions"; what there is, is listed. */
int chosen_unknown(const char *what, const char *name, const struct config *config,
                   struct error *err);

#endif
