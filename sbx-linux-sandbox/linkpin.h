/*
 * How is a protected name kept that is a symbolic link?
 *
 * bubblewrap follows a link or refuses it; it cannot mount on the link
 * itself.  The kernel can: a copy of the link is mounted over the link, from
 * outside, by entering the sandbox's namespaces before the command runs.
 * From then on the name can neither be removed nor renamed.
 */
#ifndef SBX_LINKPIN_H
#define SBX_LINKPIN_H

#include "error.h"
#include "mounts.h"

#include <sys/types.h>

/* `bwrap` is bubblewrap's outside process; its child is inside. */
int linkpin_apply(const struct mounts *mounts, pid_t bwrap, struct error *err);

#endif
