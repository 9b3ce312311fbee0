/*
 * What does a document say of the policy?
 */
#ifndef SBX_POLICY_ANSWER_POLICY_MEMBER_H
#define SBX_POLICY_ANSWER_POLICY_MEMBER_H

#include "entries/policy.h"

#include <jansson.h>

json_t *policy_member(const struct policy *policy);

#endif
