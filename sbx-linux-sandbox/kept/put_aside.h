/*
 * How is something put aside without overwriting anything?
 *
 * It gets another name in the same directory, which a person can take back.
 */
#ifndef SBX_LINUX_SANDBOX_KEPT_PUT_ASIDE_H
#define SBX_LINUX_SANDBOX_KEPT_PUT_ASIDE_H

#include <limits.h>

/* 0 with the new name, or -1 with errno.  The first choice, unless NULL, is used if it is free. */
int put_aside(int directory, const char *name, const char *first, char aside[NAME_MAX + 1]);

/* The same for a path below the directory; aside is its new last part. */
int put_aside_below(int directory, const char *path, char aside[NAME_MAX + 1]);

#endif
