/*
 * What is known of a part of a repository that the command may write?
 */
#ifndef SBX_LINUX_SANDBOX_REPOSITORIES_GIT_PART_H
#define SBX_LINUX_SANDBOX_REPOSITORIES_GIT_PART_H

#include "repositories/git_state.h"

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

/* A link, a fifo or a device.  Not by its inode: the next link may get the same number. */
struct name_found {
	char *path;   /* from the part */
	char *target; /* of a link; else "" */
};

struct state_found {
	bool exists;
	ino_t inode;
	struct timespec changed;
	struct git_text text; /* of small ones */
};

struct git_part {
	char *path;
	int fd;
	struct name_found *names;
	size_t count;
	bool cut;                   /* not everything was seen before the run */
	struct timespec began;      /* what is younger is the command's */
	struct state_found *states; /* by git_state(); NULL: no repository's own directory */
};

/* A directory, to be listed; one that the command closed is opened again. */
int git_directory_open(int parent, const char *name);

#endif
