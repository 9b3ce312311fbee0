/*
 * What is enforced: the policy, for a patch narrowed to its files, and what an
 * approver gave?
 *
 * sbx-approve works it out and writes it as approval.permissions; later stages
 * read it there.  This is the only place where a grant widens anything.
 *
 * A granted directory opens that directory, not the protected names in it or
 * below it; those stay as they are unless the grant names them exactly, and of
 * a `.git` that it names the hooks and configuration stay as well.  A path that
 * leads over a symbolic link by now is refused, and so are the programs and the
 * configuration of sbx, which decide about the next run.
 */
#ifndef SBX_GRANT_EFFECTIVE_H
#define SBX_GRANT_EFFECTIVE_H

#include "base/error.h"

#include "grant/grant.h"

#include <jansson.h>

/* Adds approval.permissions, unless the policy's own are what is enforced. */
int effective_write(json_t *doc, struct error *err);

/*
 * The policy with them, and writable_roots that fit.  A document whose approval
 * was made by hand has a grant and no permissions: they are worked out then.  A
 * new reference.
 */
json_t *effective_policy(const json_t *doc, struct error *err);

/* What was given is still where it was: nobody swapped it after the question. */
int effective_check(const json_t *doc, struct error *err);
int effective_check_grant(const struct grant *grant, struct error *err);

#endif
