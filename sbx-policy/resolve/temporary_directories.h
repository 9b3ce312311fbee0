/*
 * Which directories for temporary files are writable: /tmp, $TMPDIR?
 */
#ifndef SBX_POLICY_RESOLVE_TEMPORARY_DIRECTORIES_H
#define SBX_POLICY_RESOLVE_TEMPORARY_DIRECTORIES_H

#include "entries/workbench.h"

/* Makes it writable, if it may be. */
void grant_slash_tmp(struct workbench *bench, const char *source);

/*
 * With every other root in the policy: is /tmp inside the workspace's own?
 * Who names /tmp itself, or works in it, means the host's.
 */
void decide_tmp(struct workbench *bench);

/* The same for $TMPDIR, where bench->tmpdir asks for it, once decide_tmp() has spoken. */
void grant_tmpdir(struct workbench *bench);

/* Why /tmp is private inside, or the host's; when all entries are known. */
const char *tmp_source(const struct policy *policy);

/*
 * May $TMPDIR be granted?
 *
 * It comes from the environment: TMPDIR=/ or TMPDIR=workspace/link would
 * otherwise widen the policy.
 */

#endif
