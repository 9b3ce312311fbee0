/*
 * What do the surroundings of this process already guarantee?
 *
 * Inside a sandbox the outer one's mounts are what keeps a path read-only or
 * hidden.  Nothing here is believed from a name or a variable: each answer is
 * read from the mounts and interfaces themselves, and "cannot tell" is no.
 */
#ifndef SBX_LINUX_SURROUNDINGS_H
#define SBX_LINUX_SURROUNDINGS_H

#include "policy/permissions.h"

#include <stdbool.h>

/*
 * The carve-out `entry` holds without our help: it is read-only (and, for
 * "none", shows nothing), and no directory from the writable directory `top`
 * down to it can be renamed or replaced.  top is NULL when nothing above the
 * carve-out is writable.
 */
bool surroundings_hold(const struct permissions *permissions, const char *top,
                       const struct entry *entry);

/* Whatever the policy does not make writable is on read-only mounts. */
bool surroundings_read_only(const struct permissions *permissions);

/* The loopback interface is the only one there is. */
bool surroundings_have_only_loopback(void);

#endif
