/*
 * Was something protected moved, by somebody outside, to where it is not?
 *
 * The broker goes by names.  What is renamed outside during the run, itself or
 * with a directory above it, is then behind a name that the policy does not
 * know.  In other sandboxes its mount goes along.  So everything protected is
 * pinned, and looked at after a path was found and before anything is done
 * there: what is moved later was found by its old name.
 */
#ifndef SBX_BROKER_MOVED_H
#define SBX_BROKER_MOVED_H

#include "base/error.h"
#include "policy/permissions.h"

#include <sys/types.h>

struct pinned_name {
	const struct entry *entry;
	bool there;
	int fd; /* -1: not to be had, though it is there */
	dev_t dev;
	ino_t ino;
};

struct moved {
	const struct permissions *policy;
	struct pinned_name *names;
	size_t count;
	int told;         /* can be read once something was */
	const char *path; /* the first, by the name that it had; set before */
};

/* The policy must outlive it. */
int moved_begin(struct moved *moved, const struct permissions *policy, struct error *err);

/* True from the first such moment on: nothing may be done any more. */
bool moved_look(struct moved *moved);

#endif
