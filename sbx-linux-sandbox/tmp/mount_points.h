/*
 * On what, in the private /tmp, is something of the host's mounted?
 *
 * An earlier command had the same /tmp and may have left anything at the name:
 * a link, a pipe, a closed directory.  So nothing on the way is followed, and
 * what is in the way is renamed.
 */
#ifndef SBX_LINUX_SANDBOX_TMP_MOUNT_POINTS_H
#define SBX_LINUX_SANDBOX_TMP_MOUNT_POINTS_H

#include "base/error.h"
#include "policy/permissions.h"
#include "tmp/private_tmp.h"

#include <stdbool.h>

/* path: below tmp->at; a directory is made there, or an empty file. */
int mount_point_make(const struct private_tmp *tmp, const char *path, bool directory,
                     struct error *err);

/*
 * Where is what the command sees at a path, when that is not where the host has it?
 *
 * The observer looks at files from outside, by the command's own paths.  Only
 * in a private /tmp these mean something else; there it looks below the
 * directory that is shown.
 */

struct view {
	const struct permissions *permissions;
	const char *tmp; /* NULL: every path is the host's */
	int fd;          /* of the directory that is shown there */
};

/*
 * The path from view->fd, "." for /tmp itself; NULL when it is the host's.
 * Points into path.
 */
const char *view_private(const struct view *view, const char *path);

#endif
