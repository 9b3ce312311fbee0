/*
 * Which files tell programs inside how names are looked up?
 *
 * With a network by name they are ours: the resolver is the gateway's, and no
 * module of the C library asks a service next door.
 */
#ifndef SBX_LINUX_SANDBOX_MOUNTS_NAME_FILES_H
#define SBX_LINUX_SANDBOX_MOUNTS_NAME_FILES_H

#include "base/error.h"
#include "mounts/mounts.h"

/* In place of those that the host has and the command may read; without them defaults do. */
int plan_name_files(const struct permissions *permissions, struct mounts *mounts,
                    struct error *err);

#endif
