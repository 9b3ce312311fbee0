/*
 * Which mounts below a writable root are the kernel's own?
 *
 * procfs, sysfs, cgroups and their kin are switches of the running machine,
 * not files of a workspace.  A root caller owns them, and no policy means
 * them when it says write.
 */
#ifndef SBX_LINUX_SANDBOX_MOUNTS_KERNEL_MOUNTS_H
#define SBX_LINUX_SANDBOX_MOUNTS_KERNEL_MOUNTS_H

#include "base/error.h"
#include "policy/permissions.h"

/* Adds a read entry for each of them that would be writable. */
int kernelfs_protect(struct permissions *permissions, struct error *err);

#endif
