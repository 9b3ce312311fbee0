/*
 * Can Landlock hold this policy, alone or with the broker?
 *
 * Landlock only adds rights below a directory; it cannot take them away again
 * further down.  A policy that does needs mounts, unless the surroundings
 * (an outer sandbox, a read-only mount) already guarantee that part, or the
 * broker: then Landlock gives nothing there, and the outer stage does what the
 * policy allows.
 */
#ifndef SBX_LINUX_LANDLOCK_FIT_H
#define SBX_LINUX_LANDLOCK_FIT_H

#include "base/error.h"
#include "policy/permissions.h"

#include <jansson.h>
#include <stdbool.h>

/* The kernel's Landlock ABI; 0 with errno when there is none that can be used. */
int landlock_abi(void);

/*
 * 0: it fits, *brokered says whether only with the broker.  -1: err->exit is EXIT_UNAVAILABLE,
 * err->code names the guarantee and err->message says why Landlock cannot give it.
 */
int landlock_fits(const struct permissions *permissions, bool *brokered, struct error *err);

/*
 * What is left of the policy for somebody who accepts that protected paths are
 * not: their entries are removed, except those of what sbx itself believes or
 * runs.  Returns how many; the first one is in *first, to be freed, unless 0.
 */
size_t landlock_without_protected(struct permissions *permissions, char **first);

/* By sbx.accept_lost of the policy's "sbx". */
bool protected_may_be_lost(const json_t *own);

#endif
