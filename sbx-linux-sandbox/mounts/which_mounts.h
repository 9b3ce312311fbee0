/*
 * Which mounts make a policy true?
 *
 * The plan is a list in the order in which it has to be carried out: parents
 * before children, except that a mask is sealed after what is reopened in it.
 * Every source is opened here, once, without following links, and stays open
 * for the whole run; later stages compare what got mounted with it.
 */
#ifndef SBX_LINUX_SANDBOX_MOUNTS_WHICH_MOUNTS_H
#define SBX_LINUX_SANDBOX_MOUNTS_WHICH_MOUNTS_H

#include "base/error.h"
#include "kept/stubs.h"
#include "mounts/mounts.h"
#include "policy/permissions.h"
#include "tmp/private_tmp.h"

#include <stdbool.h>

struct mounts_options {
	const struct private_tmp *tmp; /* NULL: /tmp is the host's */
	const struct stubs *stubs;
	char *const *passing; /* see request.h; may be NULL */
	bool no_proc;         /* keep the surrounding /proc, read-only */
	bool hide_proc;       /* with no_proc: not even that */
	bool open_proc;       /* /proc/PID stays writable: user namespaces inside need it */
};

int mounts_plan(const struct permissions *permissions, const struct mounts_options *options,
                struct mounts *mounts, struct error *err);

#endif
