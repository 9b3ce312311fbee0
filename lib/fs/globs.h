/*
 * Deny globs: which paths does a pattern name, now?
 *
 * "*" and "?" stay within one component, "**" is any number of directories,
 * [ab] and [!ab] are one character; a "[" that is never closed is itself.
 */
#ifndef SBX_FS_GLOBS_H
#define SBX_FS_GLOBS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* True when the text has a character that makes it a pattern. */
bool is_glob(const char *text);

/* True when the pattern (absolute) names path, or a directory above it. */
bool glob_covers(const char *pattern, const char *path);

/* Called for every path that is found. */
typedef void glob_found(void *context, const char *path);

/*
 * Searches the file system from the last directory before the first wildcard,
 * which is canonical, without following links.  What is below a match is not
 * searched.  depth is of directories below that one; 0: no limit but the
 * search's own.  Too much to search or to find is an error: a list that was
 * cut would leave the rest readable.
 */
int glob_expand(const char *pattern, size_t depth, glob_found *found, void *context,
                struct error *err);

#endif
