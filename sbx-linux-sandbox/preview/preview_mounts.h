/*
 * Which mounts show a copy, when nothing is to have an effect on the host?
 */
#ifndef SBX_LINUX_SANDBOX_PREVIEW_PREVIEW_MOUNTS_H
#define SBX_LINUX_SANDBOX_PREVIEW_PREVIEW_MOUNTS_H

#include "mounts/mounts.h"
#include "preview/preview_roots.h"

/*
 * Every writable mount of the host's becomes a part of an overlay.  -1: one is in none,
 * and would be the host's own.
 */
int preview_mount(const struct request *request, struct preview *preview, struct mounts *mounts,
                  struct error *err);

#endif
