/*
 * Is a directory that a plan names the thing itself?
 *
 * A link, a short name or another drive letter in the way is refused.
 */
#ifndef SBX_WINTOKEN_FOLDER_H
#define SBX_WINTOKEN_FOLDER_H

#include "windows/system.h"

#include <stdbool.h>

/*
 * Open for reading and for changing its access list.  While it is open nobody
 * can rename or remove it, or a directory above it.  *missing: nothing there.
 */
HANDLE folder_pin(const char *path, bool *directory, bool *missing, struct error *err);

/* Makes it and what is missing above it, for nobody but the user. */
int folder_make_private(const char *path, struct error *err);

/* The first directory on the way to path that is missing; NULL: path is there. */
char *folder_next_missing(const char *path);

/* Makes one, with the rights that the one above it passes on. */
int folder_make(const char *path, struct error *err);

#endif
