/*
 * What appeared in a home directory and runs later, outside of the sandbox?
 *
 * What exists of that is read-only; what is missing cannot be kept away, since
 * anything in its place would change what a shell does.  So it is told.
 */
#ifndef SBX_LINUX_SANDBOX_KEPT_APPEARED_AT_HOME_H
#define SBX_LINUX_SANDBOX_KEPT_APPEARED_AT_HOME_H

#include "policy/permissions.h"

/* The missing names that the command can make, ended by NULL; to be given to the other. */
char **missing_at_home(const struct permissions *permissions);

/* To be called when no process of the run is left.  Frees the list. */
void tell_appeared(char **missing);

#endif
