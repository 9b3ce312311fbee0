/*
 * Where does a path lead, and through which symbolic links?
 *
 * realpath() tells only the end.  A link on the way that lies in a writable
 * place can be pointed elsewhere from inside the sandbox, so whoever protects
 * the end has to protect the links as well.
 */
#ifndef SBX_FS_FOLLOWED_PATH_H
#define SBX_FS_FOLLOWED_PATH_H

#include "base/error.h"

#include <stddef.h>
#include <sys/stat.h>

struct trail {
	char *target; /* canonical; what does not exist is appended as it is */
	char **links; /* the canonical places of the links that were followed */
	size_t count;
	int stopped;    /* 0: the target exists; else the errno that ended the look-up */
	struct stat st; /* of the target when it exists */
};

/*
 * Follows path from base, a canonical directory; an absolute path starts at
 * "/".  Fails where no target can be named that will stay the target: a loop,
 * ".." behind a missing component, a link of procfs.  The links seen until
 * then are kept.
 */
int trail_follow(struct trail *trail, const char *base, const char *path, struct error *err);
void trail_free(struct trail *trail);

#endif
