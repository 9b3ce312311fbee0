/*
 * Which directories do --add-dir and --allow cache:X make?
 *
 * A tool that wants a directory of its own in a new home can be given it only
 * when it exists, and whoever names it has agreed.  Elsewhere a missing
 * directory is more likely a typing error.
 */
#ifndef SBX_RUN_ADDED_DIRECTORIES_H
#define SBX_RUN_ADDED_DIRECTORIES_H

#include "arguments.h"
#include "base/error.h"

/* Those of caches, and those of --add-dir that are missing in the home directory; "~/" begins there
 * too. */
int added_directories_make(struct arguments *arguments, struct error *err);

#endif
