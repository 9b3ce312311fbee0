/*
 * Is this the unix socket that the policy lists?
 *
 * A name in a place where the command may write is not enough: it can rename
 * any other socket onto it, and the observer would connect to that with its
 * own credentials.  There the socket is pinned when the run starts, by device
 * and inode; what does not exist then is none.
 */
#ifndef SBX_LINUX_SANDBOX_NETWORK_LISTED_SOCKETS_H
#define SBX_LINUX_SANDBOX_NETWORK_LISTED_SOCKETS_H

#include "base/error.h"
#include "policy/permissions.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct listed_socket {
	const char *path;
	bool by_name; /* nobody inside can change what has the name */
	int fd;       /* O_PATH, so that its number is not used again; -1: does not exist */
	dev_t dev;
	ino_t ino;
};

struct listed_sockets {
	struct listed_socket *items;
	size_t count;
};

/* The permissions must outlive it. */
int listed_sockets_pin(const struct permissions *permissions, struct listed_sockets *sockets,
                       struct error *err);

bool listed_sockets_contain(const struct listed_sockets *sockets, const char *path,
                            const struct stat *st);

#endif
