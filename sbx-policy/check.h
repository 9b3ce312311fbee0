/*
 * --check-path: would the policy allow this access?  For the file tools of a
 * program that asks before it acts.
 */
#ifndef SBX_POLICY_CHECK_H
#define SBX_POLICY_CHECK_H

#include "policy.h"

/*
 * One line per path.  0: all allowed; 1: at least one is not; -1: error.
 * Relative paths are meant from `base`.
 */
int check_paths(const struct policy *policy, const char *base, enum access access, char **paths,
                struct error *err);

#endif
