/*
 * How do the changes read as a unified diff?
 *
 * In git's form, which says modes, links and renames as well, and which git apply and
 * patch read.  Names are relative to the root that they are in.
 */
#ifndef SBX_LINUX_SANDBOX_CHANGES_DIFF_H
#define SBX_LINUX_SANDBOX_CHANGES_DIFF_H

#include "changes/scan.h"

/* Of what is at or below one of the paths, or of all, on stdout. */
int changes_diff(const struct state *state, const struct changes *changes, char *const *paths,
                 struct error *err);

#endif
