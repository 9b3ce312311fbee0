/*
 * Can this policy be held when the command may make user namespaces?
 *
 * What keeps a protected name in a writable directory is that a mount point
 * cannot be renamed.  That is so only where it is one: in a mount namespace of
 * its own the command gets rid of the mounts, and through a directory that it
 * opened before renames what was protected.
 */
#ifndef SBX_LINUX_NESTED_FIT_H
#define SBX_LINUX_NESTED_FIT_H

#include "base/error.h"
#include "policy/permissions.h"

/* 0, or -1: err->exit is EXIT_UNAVAILABLE and err->message names the path. */
int nested_fits(const struct permissions *permissions, struct error *err);

#endif
