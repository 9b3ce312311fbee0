/*
 * How is a directory opened again that the command closed?
 *
 * It is the caller's own, so its mode can be changed; by the pinned directory
 * itself, since the name may be another's by now.
 */
#ifndef SBX_LINUX_SANDBOX_KEPT_CLOSED_DIRECTORY_H
#define SBX_LINUX_SANDBOX_KEPT_CLOSED_DIRECTORY_H

#include <stdbool.h>
#include <sys/types.h>

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
