/*
 * Does one path contain another, component by component?
 *
 * A "normal" path is absolute, has no empty, "." or ".." component and no
 * trailing slash; "/" is itself normal.  Containment is by component: /a/b
 * contains /a/b/c and not /a/bc.
 */
#ifndef SBX_FS_PATH_H
#define SBX_FS_PATH_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The lexical normal form of an absolute path; nothing is looked up. */
char *path_normal(const char *path);

/* base + "/" + relative, normal; an absolute second path stands for itself. */
char *path_join(const char *base, const char *path);

/* The same of two that are normal already, where it is done often; either may be "". */
char *path_below(const char *directory, const char *name);

/* The directory that holds a normal path; "/" for "/". */
char *path_parent(const char *path);

bool path_is_normal(const char *path);
bool path_contains(const char *root, const char *path);
size_t path_depth(const char *path);

/* True when a component of a normal path is called so. */
bool path_has(const char *path, const char *name);

/* Order for qsort-like use: a directory comes right before what is below it. */
int path_compare(const char *a, const char *b);

/* Of elements in that order, which begin with their path: the first that does not come before. */
size_t path_position(const void *elements, size_t count, size_t size, const char *path);

/* True when an absolute path has a ".." component. */
bool path_steps_back(const char *path);

/*
 * The path with every symbolic link resolved, as far as it exists; what does
 * not exist is appended as it is.  Fails on loops, on permission, and on a
 * relative path.
 */
char *path_canonical(const char *path, struct error *err);

/*
 * Opens path below the directory root without following any link and without
 * leaving root.  Works where openat2() does not exist or is filtered.
 * -1 with errno.
 */
int path_open_beneath(int root, const char *path, int flags);

#endif
