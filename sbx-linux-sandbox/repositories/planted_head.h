/*
 * Did the command make a repository of a plain directory?
 *
 * It cannot make a `.git` there.  But git also takes a directory for a
 * repository that holds HEAD, objects and refs, and outside, later, runs what
 * the config beside them names.  A mount could keep the name HEAD away only by
 * showing it in every listing of every plain directory; so what the command
 * made is disarmed when it has ended: its HEAD gets another name, which a
 * person can take back.
 *
 * The same goes for a checkout whose .git may be written: when that is spoiled,
 * git takes the next best, and in "git diff HEAD" a file of that name is one
 * too many.  There the policy closes the name, so the run ends when it appears.
 */
#ifndef SBX_LINUX_SANDBOX_REPOSITORIES_PLANTED_HEAD_H
#define SBX_LINUX_SANDBOX_REPOSITORIES_PLANTED_HEAD_H

#include "base/error.h"
#include "policy/permissions.h"

#include <stdbool.h>
#include <stddef.h>

struct plain_root {
	char *path;
	int fd;
	bool closed; /* the policy closes HEAD, and no stub stands for it */
	bool beside; /* of a .git that the command can spoil */
};

struct plain_roots {
	struct plain_root *items;
	size_t count;
};

/* Remembers the writable roots that are no repository; to be called before there are stubs. */
int plain_roots_find(const struct permissions *permissions, const char *private_tmp,
                     struct plain_roots *roots, struct error *err);

/* Whether the path is a HEAD that is looked for, since a stub would be in git's way. */
bool is_closed_head(const struct permissions *permissions, const char *path);

/* The first root of which a repository is being made beside its .git, or NULL. */
const struct plain_root *plain_roots_look(const struct plain_roots *roots);

/* To be called when no process of the run is left. */
void plain_roots_restore(struct plain_roots *roots);

#endif
