/*
 * Who is at the other end of the session's socket, and where is the socket?
 */
#ifndef SBX_APPROVE_SESSION_OTHER_END_H
#define SBX_APPROVE_SESSION_OTHER_END_H

#include "base/error.h"

#include <stdbool.h>

/*
 * The same user, in the same user namespace, and still there: nobody from
 * inside a sandbox.
 */
bool peer_is_trusted(int fd);

/*
 * The directory of a session's socket, opened: this user's, closed to others,
 * and reached through directories that others cannot change and over no link.
 */
int peer_directory(const char *path, struct error *err);

/* In a process that took a listener over: the one that clients see there. */
int peer_listen_again(int listener, struct error *err);

/*
 * A socket in a new directory that only this user can enter, where no sandbox
 * can write if there is such a place.  *path and *directory are to be freed.
 */
int peer_listen(char **path, char **directory, struct error *err);
void peer_remove(const char *path, const char *directory);

#endif
