/*
 * How is something put aside without overwriting anything?
 *
 * It gets another name in the same directory, which a person can take back.
 */
#ifndef SBX_LINUX_SANDBOX_KEPT_PUT_ASIDE_H
#define SBX_LINUX_SANDBOX_KEPT_PUT_ASIDE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* 0 with the new name, or -1 with errno.  The first choice, unless NULL, is used if it is free. */
int put_aside(int directory, const char *name, const char *first, char aside[NAME_MAX + 1]);

/* The same for a path below the directory; aside is its new last part. */
int put_aside_below(int directory, const char *path, char aside[NAME_MAX + 1]);

/*
 * How is a directory opened again that the command closed?
 *
 * It is the caller's own, so its mode can be changed; by the pinned directory
 * itself, since the name may be another's by now.
 */

/* For as long as something has to be done in it. */
struct reopened_directory {
	int fd; /* O_PATH */
	bool changed;
	mode_t mode; /* what it had */
};

/* 0, or -1 with errno: it is not ours. */
int directory_open_up(struct reopened_directory *directory, int fd);
void directory_close_again(const struct reopened_directory *directory);

/* For good, and to be listed: an fd of its own, or -1 with errno. */
int directory_open_to_list(int fd);

#endif
