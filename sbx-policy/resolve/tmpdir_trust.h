/*
 * May $TMPDIR be granted?
 *
 * It comes from the environment: TMPDIR=/ or TMPDIR=workspace/link would
 * otherwise widen the policy.
 */
#ifndef SBX_POLICY_RESOLVE_TMPDIR_TRUST_H
#define SBX_POLICY_RESOLVE_TMPDIR_TRUST_H

#include "entries/workbench.h"

/*
 * The directory to grant, or NULL: then *reason is a line to print, or NULL
 * when the directory is writable anyway.  All other roots are in the policy.
 */
char *tmpdir_grant(const struct workbench *bench, const char *value, char **reason);

#endif
