/*
 * --test FILE: does the policy do what its author believes?
 *
 *	allow write src/x
 *	deny read ~/.ssh/id
 *	deny connect *
 */
#ifndef SBX_POLICY_ANSWER_ASSERTIONS_H
#define SBX_POLICY_ANSWER_ASSERTIONS_H

#include "entries/policy.h"

#include <stdio.h>

/* Prints the assertions that fail.  0: none; 1: some; -1: the file is wrong. */
int assertions_check(const struct policy *policy, const char *base, const char *file, FILE *out,
                     struct error *err);

#endif
