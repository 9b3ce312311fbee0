/*
 * How are caches shown, so that what is written has no effect on the host?
 *
 * As an overlay: what the host has, and over it what commands of this workspace
 * wrote.  A cache that the host does not have is a directory of the workspace's own;
 * where no overlay can be mounted, another one stays read-only.  What the
 * policy closes below a cache is closed in the copy as well.
 */
#ifndef SBX_LINUX_SANDBOX_CACHES_CACHE_MOUNTS_H
#define SBX_LINUX_SANDBOX_CACHES_CACHE_MOUNTS_H

#include "base/error.h"
#include "caches/layers.h"
#include "mounts/mounts.h"

/* Adds to the mounts of the policy, and fills request->inside. */
int caches_mount(struct request *request, struct layers *layers, struct mounts *mounts,
                 struct error *err);

#endif
