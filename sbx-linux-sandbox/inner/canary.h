/*
 * Does the sandbox hold?  Tried, not assumed.
 */
#ifndef SBX_LINUX_SANDBOX_INNER_CANARY_H
#define SBX_LINUX_SANDBOX_INNER_CANARY_H

#include "base/error.h"
#include "plan.h"

/* Before the door is locked: every mount is what the plan says it is. */
int verify_mounts(const struct plan *plan, struct error *err);

/*
 * The last thing before execve(), in the command's own process: tries what
 * the policy denies, in ways that leave no trace if they succeed, and fails
 * if one does.
 */
int canary(const struct plan *plan, struct error *err);

#endif
