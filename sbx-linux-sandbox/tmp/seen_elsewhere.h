/*
 * Where is what the command sees at a path, when that is not where the host has it?
 *
 * The observer looks at files from outside, by the command's own paths.  Only
 * in a private /tmp these mean something else; there it looks below the
 * directory that is shown.
 */
#ifndef SBX_LINUX_SANDBOX_TMP_SEEN_ELSEWHERE_H
#define SBX_LINUX_SANDBOX_TMP_SEEN_ELSEWHERE_H

#include "policy/permissions.h"

#include <stdbool.h>

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
