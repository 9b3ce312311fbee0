/*
 * What stays read-only in the writable roots, now that all of them are known?
 */
#ifndef SBX_POLICY_RESOLVE_PROTECTED_ROOTS_H
#define SBX_POLICY_RESOLVE_PROTECTED_ROOTS_H

#include "base/error.h"
#include "entries/workbench.h"

int protect_roots(struct workbench *bench, struct error *err);

/*
 * What is kept of the projects that the user trusts, where they lie in a root?
 */

#endif
