/*
 * Which file does a path of Windows mean?
 *
 * One spelling for each, or a refusal: what another program may read
 * differently (8.3 names, streams, devices, trailing dots) decides nothing
 * here.  Works on every system, on the text alone.
 *
 *	C:\dir\file             drive in capitals, no trailing separator
 *	\\server\share\dir      network
 *	/dir                    of a system without drives: Z:\dir, as under wine
 *	\\?\C:\dir              C:\dir, if that can be written without \\?\
 */
#ifndef SBX_WINTOKEN_SPELLING_WINPATH_H
#define SBX_WINTOKEN_SPELLING_WINPATH_H

#include "base/error.h"

#include <stdbool.h>

struct winpath {
	char *path; /* as above */
	char *key;  /* small letters and slashes, normal as lib/fs/path.h means it */
};

/* The message begins with the text; the exit status is EXIT_INPUT. */
int winpath_get(const char *text, struct winpath *out, struct error *err);
void winpath_free(struct winpath *path);

/* The top of a drive or of a network share. */
bool winpath_is_top(const struct winpath *path);

/*
 * Where two keys part, they part in the case of letters beyond ASCII only:
 * one file or two, depending on the file system.
 */
bool winpath_unclear(const char *key, const char *other);

#endif
