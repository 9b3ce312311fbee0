/*
 * Where does a path of the command lead?
 *
 * Walked as the kernel would for the command itself: from its own working
 * directory or descriptor, with its own /proc/self, past links.  What is found
 * is pinned, so that nothing renamed or replaced meanwhile makes it another,
 * and named as the policy names things.
 */
#ifndef SBX_BROKER_PLACE_H
#define SBX_BROKER_PLACE_H

#include "broker/asked.h"

#include <sys/stat.h>

struct place {
	int parent;               /* the directory, pinned; -1: there is none to speak of */
	char name[NAME_MAX + 2];  /* in it, never followed; with a slash if the caller's had one */
	int object;               /* pinned, where there is no name to act on; else -1 */
	char directory[PATH_MAX]; /* what the parent is called, without any link */
	char path[PATH_MAX];      /* what it is called itself */
	bool slash;               /* the caller will have a directory */
	bool walked;              /* past links of a process */
	bool exists;
	bool lost;     /* the name that it was opened by is gone: others may be left */
	bool nameless; /* ... and none is: path says where it was */
	bool memory;   /* of memfd_create(): it never was in a directory */
	struct stat st;
};

#define PLACE_NONE                                                                                 \
	{                                                                                          \
		.parent = -1, .object = -1                                                         \
	}

/* Links at the end of a path. */
enum follow {
	FOLLOW,      /* all of them */
	FOLLOW_NOT,  /* none, but a slash at the end asks for the directory it names */
	FOLLOW_NAME, /* none: the call is about the name itself */
};

/*
 * base: as asked_file() gives it, for a path that is not absolute; taken.  0 or -errno; a name that
 * is not there is none.
 */
int place_find(const struct asked *asked, int base, const char *path, enum follow follow,
               struct place *place);

/* Of an open file that was pinned, which it takes. */
int place_of_file(int fd, struct place *place);

/* What a file that is lost was called. */
void place_old_path(const struct place *place, char path[PATH_MAX]);

void place_free(struct place *place);

/*
 * The object pinned by O_PATH: again for every call.  Where the command renames
 * by itself its name may mean another by now: -EAGAIN.  -errno.
 */
int place_pin(const struct place *place);

#define cleanup_place __attribute__((cleanup(place_free)))

#endif
