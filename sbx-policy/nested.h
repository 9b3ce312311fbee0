/*
 * Repositories below a writable root, found by a walk whose cost is bounded.
 */
#ifndef SBX_POLICY_NESTED_H
#define SBX_POLICY_NESTED_H

#include "error.h"
#include "policy.h"

enum place {
	PLACE_WORKSPACE,
	PLACE_ROOT,      /* a root that a person named */
	PLACE_TEMPORARY, /* /tmp, $TMPDIR */
};

/* Protects what is found; counts in policy->walked, and sets policy->cut. */
int protect_nested(struct policy *policy, const char *root, enum place place, struct error *err);

#endif
