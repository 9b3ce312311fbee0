/*
 * Which mounts does our bubblewrap leave to us, and how are they made?
 *
 * It looks up every directory on the way to a mount anew, makes it if it is missing,
 * and takes no more than 9 000 words.  What is only shown, hidden or sealed at a place that
 * is there already needs ten system calls: those mounts are made where bubblewrap lets go
 * of the old root, after all of its own.  Each source is compared with what the outer stage
 * pinned before anything is attached; the inner stage verifies the outcome as always.
 */
#ifndef SBX_LINUX_SANDBOX_VENDORED_MOUNT_REST_H
#define SBX_LINUX_SANDBOX_VENDORED_MOUNT_REST_H

#include "mounts/mounts.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * From now on, if any can be left to us: not where the order would be lost, or places have
 * to be made.  The list stays the caller's.
 */
void mount_rest_later(const struct mounts *mounts);

/* Is this one left to us? */
bool mount_is_left(size_t number);

#endif
