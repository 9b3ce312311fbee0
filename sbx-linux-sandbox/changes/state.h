/*
 * Where is what a preview has kept, and what is it the preview of?
 */
#ifndef SBX_LINUX_SANDBOX_CHANGES_STATE_H
#define SBX_LINUX_SANDBOX_CHANGES_STATE_H

#include "base/error.h"

#include <stddef.h>

/* A state, with the roots that it has. */
struct state_root {
	char *lower;
	int fd;    /* its directory in the state */
	int upper; /* what was written */
	int host;  /* what the host has, O_RDONLY */
};

struct state {
	int fd;
	char *path;
	struct state_root *roots;
	size_t count;
};

/* Opens it, and has it alone: -1 with the code "locked" while a command runs in it. */
int state_open(const char *path, struct state *state, struct error *err);
void state_close(struct state *state);

#endif
