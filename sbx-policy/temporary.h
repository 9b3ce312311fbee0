/*
 * The directories for temporary files: /tmp and $TMPDIR.
 */
#ifndef SBX_POLICY_TEMPORARY_H
#define SBX_POLICY_TEMPORARY_H

#include "policy.h"

/* Each makes its directory writable, if it may be, and adds it to granted. */
void grant_slash_tmp(struct policy *policy, const char *source, struct root_list *granted);
void grant_tmpdir(struct policy *policy, const char *source, struct root_list *granted);

#endif
