/*
 * The directories for temporary files: /tmp and $TMPDIR.
 */
#ifndef SBX_POLICY_RESOLVE_TEMPORARY_DIRECTORIES_H
#define SBX_POLICY_RESOLVE_TEMPORARY_DIRECTORIES_H

#include "resolve/policy.h"

/* Makes it writable, if it may be, and adds it to granted. */
void grant_slash_tmp(struct policy *policy, const char *source, struct root_list *granted);

/*
 * With every other root in the policy: is /tmp inside the workspace's own?
 * Who names /tmp itself, or works in it, means the host's.
 */
void decide_tmp(struct policy *policy);

/* The same for $TMPDIR, where policy->tmpdir asks for it, once decide_tmp() has spoken. */
void grant_tmpdir(struct policy *policy, struct root_list *granted);

/* Why /tmp is private inside, or the host's. */
const char *policy_tmp_source(const struct policy *policy);

#endif
