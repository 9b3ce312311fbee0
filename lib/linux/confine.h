/*
 * How does a process that writes for others keep itself from writing elsewhere?
 */
#ifndef SBX_LINUX_CONFINE_H
#define SBX_LINUX_CONFINE_H

#include "base/error.h"

enum confined_to {
	CONFINED_TO_FILES, /* and directories, each in its place */
	CONFINED_TO_TREES, /* moved about, with links and fifos */
};

/*
 * From now on this process writes only below these directories (the journal's is
 * given open), removes empty directories below those of emptied (or NULL), gains
 * no privileges, and opens no network.  A kernel without Landlock, for trees before
 * 5.19, cannot hold that: then only the writer's own checks do.
 */
int confine_to(char *const *directories, char *const *emptied, int journal, enum confined_to what,
               struct error *err);

#endif
