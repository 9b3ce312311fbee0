/*
 * What does --approver name: a program, a socket, or an open descriptor?
 */
#ifndef SBX_TRUST_APPROVER_PLACE_H
#define SBX_TRUST_APPROVER_PLACE_H

#include "base/error.h"

#include <stdbool.h>

enum approver_kind {
	APPROVER_NOBODY,
	APPROVER_PROGRAM, /* a path, or a line for the shell */
	APPROVER_SOCKET,  /* unix:PATH */
	APPROVER_FD,      /* fd:N */
};

struct approver_place {
	enum approver_kind kind;
	const char *text; /* what was given, or the path of a socket */
	int fd;           /* of APPROVER_FD; else -1 */
};

/*
 * -1 with err, which is wrong usage: nothing at all, a socket that is not named by
 * a normalized absolute path, or a descriptor that is no connected socket.  One that is
 * will be inherited by no program from now on.
 */
int approver_place_read(const char *value, struct approver_place *place, struct error *err);

/* Whether two descriptors are one socket: who has the other could answer. */
bool approver_is_also(const struct approver_place *place, int fd);

#endif
