/*
 * Who is at the other end of the session's socket?
 */
#ifndef SBX_APPROVE_SESSION_OTHER_END_H
#define SBX_APPROVE_SESSION_OTHER_END_H

#include "base/error.h"

#include <stdbool.h>

/*
 * The same user, in the same user namespace, with no more filters of system
 * calls than we have, and still there: nobody from inside a sandbox.
 */
bool peer_is_trusted(int fd);

/* The same, or root: who may answer as an approver. */
bool peer_may_answer(int fd);

/*
 * The directory of a session's socket, opened: this user's, closed to others,
 * and reached through directories that others cannot change and over no link.
 */
int peer_directory(const char *path, struct error *err);

#endif
