/*
 * In which effective rights do two policies differ?
 */
#ifndef SBX_POLICY_ANSWER_DIFF_POLICIES_H
#define SBX_POLICY_ANSWER_DIFF_POLICIES_H

#include "base/error.h"
#include "config/command_line.h"
#include "entries/policy.h"

#include <jansson.h>
#include <stdio.h>

/*
 * --diff A [B]: which two policies are compared?
 */

/*
 * An operand is a file with a document ("-": stdin), or what the same options
 * mean with another mode, permission set or profile.  Without a B, `policy`
 * itself.  0: the same rights; 1: the differences were printed; -1: error.
 */
int answer_diff(const struct request *request, const struct policy *policy, struct error *err);

#endif
