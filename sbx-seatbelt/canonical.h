/*
 * Which form of a path does the kernel of macOS compare?
 *
 * /etc, /tmp and /var are links into /private, and rules are matched against
 * the path of the file itself: a rule on /tmp would never match anything.
 */
#ifndef SBX_SEATBELT_CANONICAL_H
#define SBX_SEATBELT_CANONICAL_H

#include "base/error.h"
#include "policy/permissions.h"

#include <stdbool.h>
#include <stddef.h>

/* The names of these links, one by one, until NULL. */
const char *canonical_alias(size_t i);

/* True when the first component, as a pattern, could mean that one. */
bool canonical_may_mean(const char *pattern, const char *alias);

/* A copy, in /private when that is where it is. */
char *canonical_path(const char *path);

/*
 * Replaces every path of the permissions.  A writable path that leads through
 * any other link is refused: what the link points at can change.
 */
int canonical_permissions(struct permissions *permissions, struct error *err);

#endif
