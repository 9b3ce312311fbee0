/*
 * Which caches of tools can be written inside without effect on the host?
 *
 * The table is in share/caches.
 */
#ifndef SBX_POLICY_RESOLVE_TOOL_CACHES_H
#define SBX_POLICY_RESOLVE_TOOL_CACHES_H

#include "entries/policy.h"

/* [{"path","keep":[name...]}...]: those that the policy lets be read, and no more. */
json_t *tool_caches(const struct policy *policy);

#endif
