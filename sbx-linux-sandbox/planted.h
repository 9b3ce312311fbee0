/*
 * A plain directory that the command makes a repository of.
 *
 * It cannot make a `.git` there.  But git also takes a directory for a
 * repository that holds HEAD, objects and refs, and outside, later, runs what
 * the config beside them names.  A mount could keep the name HEAD away only by
 * showing it in every listing of every plain directory; so what the command
 * made is disarmed when it has ended: its HEAD gets another name, which a
 * person can take back.
 */
#ifndef SBX_LINUX_PLANTED_H
#define SBX_LINUX_PLANTED_H

#include "error.h"
#include "permissions.h"

#include <stddef.h>

struct plain_root {
	char *path;
	int fd;
};

struct plain_roots {
	struct plain_root *items;
	size_t count;
};

/* Remembers the writable roots that are no repository; to be called before there are stubs. */
int plain_roots_find(const struct permissions *permissions, const char *private_tmp,
                     struct plain_roots *roots, struct error *err);

/* To be called when no process of the run is left. */
void plain_roots_restore(struct plain_roots *roots);

#endif
