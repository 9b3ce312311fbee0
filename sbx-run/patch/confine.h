/*
 * How does the writer of a patch keep itself from writing elsewhere?
 */
#ifndef SBX_RUN_PATCH_CONFINE_H
#define SBX_RUN_PATCH_CONFINE_H

#include "base/error.h"

/*
 * From now on this process writes only below these directories (the journal's is
 * given open), gains no privileges, and opens no network.  A kernel without
 * Landlock cannot hold that: then only the writer's own checks do.
 */
int confine_to(char *const *directories, int journal, struct error *err);

#endif
