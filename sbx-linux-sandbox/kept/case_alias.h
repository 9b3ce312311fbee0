/*
 * Is a protected name also protected when it is written in other letters?
 *
 * On a file system that ignores case .GIT is .git.  Where the kernel knows
 * that they are one, a mount on one is a mount on the other.  Where only the
 * server of the file system knows (FUSE, 9p), the other spelling leads round
 * the mount, and nothing may run.
 */
#ifndef SBX_LINUX_SANDBOX_KEPT_CASE_ALIAS_H
#define SBX_LINUX_SANDBOX_KEPT_CASE_ALIAS_H

#include "base/error.h"
#include "policy/permissions.h"

#include <jansson.h>

/* Outside: [[path, the same in other letters], ...], for those that are there. */
json_t *alias_json(const struct permissions *permissions, const char *private_tmp);

/* Inside: each is under the same mount as the path. */
int alias_verify(const json_t *aliases, struct error *err);

#endif
