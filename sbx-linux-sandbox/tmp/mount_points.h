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
#include "tmp/private_tmp.h"

#include <stdbool.h>

/* path: below tmp->at; a directory is made there, or an empty file. */
int mount_point_make(const struct private_tmp *tmp, const char *path, bool directory,
                     struct error *err);

#endif
