/*
 * Does every protected name still mean what it meant when the run began?
 *
 * A mount holds a name only as long as nobody outside touches the name: what is
 * unlinked or renamed over in another mount namespace loses its mounts in all
 * of them, and what is renamed away takes its mount along.  Then the command
 * can make the name anew, or read what was hidden.
 *
 * The kernel takes the mount away a moment before the name is another: in that
 * moment even the old file can be written.  So its text is kept as well.
 *
 * The names are known by the directory that holds them, which is pinned, and
 * by the inode that they had, which is pinned too, so that its number is not
 * used again.
 */
#ifndef SBX_LINUX_SANDBOX_KEPT_HELD_H
#define SBX_LINUX_SANDBOX_KEPT_HELD_H

#include "mounts/mounts.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#define HELD_BY_ROOT ((size_t)-1)

struct held_name {
	const struct mount *mount; /* what is mounted there, or for a root on itself */
	const char *name;          /* the last component */
	size_t directory; /* which of the names holds it; HELD_BY_ROOT: found by its path */
	bool compared;    /* false for a root: only what it holds is protected */
	bool passage;     /* a directory on the way to a protected name */
	bool open;        /* the command may write around it, once the mount is gone */
	char *text;       /* of a file, as it was; NULL: too large, or not ours to read */
	struct stat was;  /* of what has a text */
	int number;       /* of its mount inside; 0: not known */
	bool loose;       /* that mount is gone */
};

struct held {
	struct held_name *items;
	size_t count;
	int root;
	size_t at; /* of the last line of a mount table that is one of these */
};

/* To be called before the command can run.  The mounts must outlive it. */
int held_begin(const struct mounts *mounts, struct held *held, struct error *err);
void held_free(struct held *held);

/* Looks at the name in that directory: 1 the same, 0 another or none (then st_mode is 0), -1 with
 * errno. */
int held_look(const struct held *held, const struct held_name *name, int directory,
              struct stat *st);

/* The first name that changed, or NULL; what cannot be seen has not. */
const struct held_name *held_changed(const struct held *held);

/* What happened to it, in words. */
const char *held_how(const struct held *held, const struct held_name *name);

/* The same file with another text, written while no mount held it. */
bool held_is_rewritten(const struct held_name *name);

#endif
