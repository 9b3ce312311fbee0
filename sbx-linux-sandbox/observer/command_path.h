/*
 * Where does a path of the command lead, as the host sees it?
 *
 * The sandbox shows the host's files at their own places, except in a private
 * /tmp (seen_elsewhere.h), so this is also where it would lead without a sandbox.  Where that is
 * not so, in the sandbox's own /dev and in /proc of other processes, there is no answer.
 */
#ifndef SBX_LINUX_SANDBOX_OBSERVER_COMMAND_PATH_H
#define SBX_LINUX_SANDBOX_OBSERVER_COMMAND_PATH_H

#include "tmp/mount_points.h"

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

struct resolved {
	char path[PATH_MAX];   /* canonical */
	char parent[PATH_MAX]; /* the directory it is in, which is there */
	bool exists;
	struct stat st; /* of the path itself; zeros if it does not exist */
};

/*
 * follow: a link at the end is followed as well.  False: the call fails by
 * itself, or it cannot be told.
 */
bool resolve(const struct view *view, pid_t pid, const char *path, bool follow,
             struct resolved *resolved);

/* Replaces a link of the top level, /lib on a merged system, by what it says; false: it is none. */
bool expand_top_link(char path[PATH_MAX]);

/* "//", "/./" and a slash at the end mean nothing. */
void path_tidy(char *path);

#endif
