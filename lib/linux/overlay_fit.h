/*
 * Can an overlay keep what is written to it below this directory?
 */
#ifndef SBX_LINUX_OVERLAY_FIT_H
#define SBX_LINUX_OVERLAY_FIT_H

#include <stdbool.h>

/* An absolute path, which may be missing: then it goes by what is above it. */
bool overlay_can_keep(const char *path);

#endif
