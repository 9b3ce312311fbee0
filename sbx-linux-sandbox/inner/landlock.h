/*
 * Which parts of the policy does Landlock hold up a second time?
 *
 * Inside the mounts it repeats what they say in the kernel's other language;
 * where there are no mounts it is the only one.
 */
#ifndef SBX_LINUX_SANDBOX_INNER_LANDLOCK_H
#define SBX_LINUX_SANDBOX_INNER_LANDLOCK_H

#include "base/error.h"
#include "policy/permissions.h"

#include <stdbool.h>

/*
 * Restricts the calling process by every feature that the running kernel has.
 * `ground`: with the broker, what of the permissions is given, or NULL.
 * `private_dev`: /dev was made for this run and is all the command's.
 * `files`: handle the file system; off when mounts must be possible inside.
 * Returns the ABI used, 0 when the kernel has no Landlock, -1 with err.
 */
int landlock_apply(const struct permissions *permissions, const struct permissions *ground,
                   bool private_dev, bool files, struct error *err);

#endif
