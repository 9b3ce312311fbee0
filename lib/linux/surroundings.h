/*
 * What do the surroundings of this process already guarantee?
 *
 * Inside a sandbox the outer one's mounts are what keeps a path read-only or
 * hidden.  Nothing here is believed from a name or a variable: each answer is
 * read from the mounts and interfaces themselves, and "cannot tell" is no.
 */
#ifndef SBX_LINUX_SURROUNDINGS_H
#define SBX_LINUX_SURROUNDINGS_H

#include "base/error.h"
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

/* False where the sandbox or container around us keeps other processes' sockets from us. */
bool sockets_can_be_taken(void);

/*
 * Can this policy be held when the command may make user namespaces?
 *
 * What keeps a protected name in a writable directory is that a mount point
 * cannot be renamed.  That is so only where it is one: in a mount namespace of
 * its own the command gets rid of the mounts, and through a directory that it
 * opened before renames what was protected.
 */

/* 0, or -1: err->exit is EXIT_UNAVAILABLE and err->message names the path. */
int nested_fits(const struct permissions *permissions, struct error *err);

#endif
