/*
 * Which roots are writable, and what is not beneath each?
 *
 * Derived from the permissions, for readers that think in roots.
 */
#ifndef SBX_POLICY_RESOLVE_WRITABLE_ROOTS_H
#define SBX_POLICY_RESOLVE_WRITABLE_ROOTS_H

#include "policy/permissions.h"

#include <stdbool.h>

/* [{"root","read_only_subpaths":[...]}] */
json_t *writable_roots_json(const struct permissions *permissions);

#endif
