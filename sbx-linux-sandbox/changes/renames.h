/*
 * Which files that are gone are there again, by another name?
 */
#ifndef SBX_LINUX_SANDBOX_CHANGES_RENAMES_H
#define SBX_LINUX_SANDBOX_CHANGES_RENAMES_H

#include "changes/scan.h"

/* Sets from and renamed; a file that has also changed is not found again. */
void renames_find(const struct state *state, struct changes *changes);

#endif
