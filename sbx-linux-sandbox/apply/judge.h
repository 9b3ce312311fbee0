/*
 * May a change be made on the host?
 *
 * By the policy that the run had and by the one of today: what was writable then and is
 * protected now, a repository that came meanwhile for one, is not changed.  And what a
 * run could not have left behind does not come from a preview, either.
 */
#ifndef SBX_LINUX_SANDBOX_APPLY_JUDGE_H
#define SBX_LINUX_SANDBOX_APPLY_JUDGE_H

#include "changes/scan.h"
#include "policy/permissions.h"

struct judges {
	const struct permissions *then, *now;
};

/* Why not, for a person; NULL: it may. */
const char *judge(const struct judges *judges, const struct changes *changes,
                  const struct change *change);

/* What is left out without being a reason to refuse the rest: sockets nobody listens at. */
bool is_left_out(const struct change *change);

#endif
