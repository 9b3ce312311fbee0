/*
 * Is a file also something protected, under another name?
 *
 * A hard link that was there before is one: to write through it would change
 * what is protected.  Looked for only when a file with several names is about
 * to be changed, which is rare.
 */
#ifndef SBX_BROKER_LINKS_H
#define SBX_BROKER_LINKS_H

#include "policy/permissions.h"

#include <sys/stat.h>
#include <time.h>

struct links {
	const struct permissions *policy;
	struct {
		dev_t dev;
		ino_t ino;
	} * files; /* of several names, or every, below what is protected; sorted */
	size_t count;
	bool every;            /* also those that have one name */
	bool too_many;         /* any file of several names may be one */
	struct timespec found; /* when; the file system's clock */
};

void links_begin(struct links *links, const struct permissions *policy);

/* lost: it had one name more, which is gone. */
bool links_protect(struct links *links, const struct stat *st, bool lost);

#endif
