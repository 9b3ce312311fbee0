/*
 * What did an approver give beyond the policy?
 *
 * {"write":[path...],"read":[path...],"network":"off"|"loopback"|"on",
 * "unix_sockets":[path...]}, or {"sandbox":"none"}, which names in "none" all
 * that the policy hides (hidden.h).  This is the only place where a grant
 * widens anything.
 */
#ifndef SBX_GRANT_GRANT_H
#define SBX_GRANT_GRANT_H

#include "base/error.h"

#include <jansson.h>

/* Known members, absolute paths in their shortest form; at least one thing. */
int grant_check(const json_t *grant, struct error *err);

/*
 * The policy that is to be enforced for a document: its "policy", for a patch
 * narrowed to its files, with approval.grant merged into permissions and
 * writable_roots.  A new reference.
 *
 * A granted directory opens that directory, not the protected names in it or
 * below it; those stay as they are unless the grant names them exactly, and of
 * a `.git` that it names the hooks and configuration stay as well.  A
 * path that leads over a symbolic link by now is refused, and so are the
 * programs and the configuration of sbx, which decide about the next run.
 */
json_t *grant_policy(const json_t *doc, struct error *err);

#endif
