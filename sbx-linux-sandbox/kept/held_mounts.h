/*
 * Is every protected name still held by its mount?
 *
 * A file that has a second name for a moment can be unlinked and linked again:
 * it is the same, so that held_changed() sees nothing, but its mount is gone.
 */
#ifndef SBX_LINUX_SANDBOX_KEPT_HELD_MOUNTS_H
#define SBX_LINUX_SANDBOX_KEPT_HELD_MOUNTS_H

#include "kept/held.h"

/* Remembers the mounts by their numbers, since a root may be renamed with all that it holds. */
void held_mounts_learn(struct held *held, int table);

/* The first name whose mount is gone, or NULL; it and all others are marked as loose. */
const struct held_name *held_mounts_lost(struct held *held, int table);

#endif
