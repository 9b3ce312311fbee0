/*
 * Can nobody but this user and root change what a path leads to?
 *
 * What we execute, believe or talk to is as good as the worst directory on the
 * way to it: who can write one of those can put something else there.
 */
#ifndef SBX_FS_ONLY_OURS_H
#define SBX_FS_ONLY_OURS_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * Opens a canonical path with these flags, one directory after another and
 * without following a link, and judges each by its fd: the file and every
 * directory above it belong to this user or root, and nobody else can write
 * them.  A directory that all may write counts above the file if it is sticky,
 * as /var/tmp is: nobody replaces there what is ours.
 * The fd, or -1 with err, which names the place that is wrong.
 */
int only_ours_open(const char *path, int flags, struct error *err);

/* True of the id that root's files are shown with where root's own is not mapped. */
bool owner_stands_for_root(uid_t uid);

#endif
