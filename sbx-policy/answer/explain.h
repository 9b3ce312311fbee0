/*
 * --explain: what does the policy say, line by line, and where does each come from?
 */
#ifndef SBX_POLICY_ANSWER_EXPLAIN_H
#define SBX_POLICY_ANSWER_EXPLAIN_H

#include "entries/policy.h"

#include <stdio.h>

int explain_policy(const struct policy *policy, FILE *out, struct error *err);

#endif
