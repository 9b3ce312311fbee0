/*
 * What can bubblewrap not do to the sandbox's mounts?
 *
 * That is done from outside, by entering the sandbox's namespaces before the
 * command runs.
 *
 * A protected name that is a symbolic link.  bubblewrap follows a link or
 * refuses it; the kernel can mount a copy of the link over the link.  From
 * then on the name can neither be removed nor renamed.
 *
 * The device files, which are the machine's own: a root caller inside could
 * give /dev/null another mode for everybody.  Their mounts become read-only,
 * which forbids just that: devices are written all the same.  bubblewrap would
 * make them useless with the same word.
 *
 * The addresses of a private loopback (network/loopback.h).
 *
 * The mounts of the host, which would appear inside when they are made during
 * the run: every mount becomes private.
 *
 * Our own copy of bubblewrap needs no help with the last three (vendored/fast_bind.c).
 */
#ifndef SBX_LINUX_SANDBOX_MOUNTS_LATE_MOUNTS_H
#define SBX_LINUX_SANDBOX_MOUNTS_LATE_MOUNTS_H

#include "base/error.h"
#include "mounts/mounts.h"

#include <stdbool.h>
#include <sys/types.h>

/* The sandbox's first process, by bubblewrap's outside process; -1. */
pid_t first_inside(pid_t bwrap);

/* `bwrap` is bubblewrap's outside process; its child is inside.  `foreign`: it is the system's. */
int finish_mounts(const struct mounts *mounts, bool foreign, pid_t bwrap, struct error *err);

#endif
