/*
 * Repositories below a writable root, found by a walk whose cost is bounded.
 */
#ifndef SBX_POLICY_REPOSITORIES_NESTED_REPOSITORIES_H
#define SBX_POLICY_REPOSITORIES_NESTED_REPOSITORIES_H

#include "resolve/policy.h"

struct remembered;

/* Protects what is found, and remembers it; counts in policy->walked, and sets policy->cut. */
void protect_nested(struct policy *policy, const char *root, enum place place,
                    struct remembered *remembered);

#endif
