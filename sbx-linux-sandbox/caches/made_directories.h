/*
 * Which directories are there only for the time of a run?
 *
 * A cache that the host does not have needs something to be mounted on.  It is a
 * directory of the user's that anybody may use meanwhile, with a mark (mode 1700)
 * and a shared flock() of each run that needs it.  Whoever ends last removes it if
 * it is empty, and takes the mark away if it is not; what a SIGKILL leaves has the
 * mark and no lock, and the next run adopts it.
 *
 * What is removed goes into a pool, and comes out again for the next run: ext4 takes
 * ten times as long to make and free directories that come and go.
 */
#ifndef SBX_LINUX_SANDBOX_CACHES_MADE_DIRECTORIES_H
#define SBX_LINUX_SANDBOX_CACHES_MADE_DIRECTORIES_H

#include <stddef.h>

struct made_directory {
	int parent, fd; /* parent is one of those of all; fd is locked */
	char *name;
};

struct made_directories {
	struct made_directory *items;
	size_t count;
	int *parents; /* one for all that are made in it */
	size_t parent_count;
	int pool;                 /* this run's alone; -1: none */
	unsigned taken, returned; /* out of it and into it, which count from 0 */
};

#define MADE_NONE                                                                                  \
	{                                                                                          \
		.pool = -1                                                                         \
	}

/*
 * The directory of that place in the home directory, with all that is missing above it,
 * O_PATH; -1 with errno.  *made says whether the host has none.
 */
int made_open(struct made_directories *all, int home, const char *place, int *made);

void made_remove(struct made_directories *all);

/* In a process that does not need them. */
void made_close(struct made_directories *all);

#endif
