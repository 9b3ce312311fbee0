/*
 * Can Landlock alone hold this policy?
 *
 * Landlock only adds rights below a directory; it cannot take them away again
 * further down.  A policy that does needs mounts, unless the surroundings
 * (an outer sandbox, a read-only mount) already guarantee that part.
 */
#ifndef SBX_LANDLOCK_FIT_H
#define SBX_LANDLOCK_FIT_H

#include "error.h"
#include "permissions.h"

/* The kernel's Landlock ABI; 0 with errno when there is none. */
int landlock_abi(void);

/*
 * 0: it fits.  -1: err->exit is EXIT_UNAVAILABLE, err->code names the
 * guarantee and err->message says why Landlock cannot give it.
 */
int landlock_fits(const struct permissions *permissions, struct error *err);

#endif
