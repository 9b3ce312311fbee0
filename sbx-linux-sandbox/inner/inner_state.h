/*
 * What does the inner stage keep from its first step to its last?
 */
#ifndef SBX_LINUX_SANDBOX_INNER_INNER_STATE_H
#define SBX_LINUX_SANDBOX_INNER_INNER_STATE_H

#include "inner/hold.h"
#include "plan.h"

#include <signal.h>
#include <sys/types.h>

struct inner {
	int control;
	int children; /* signalfd for SIGCHLD */
	int go;       /* eventfd: a command that is watched may start */
	pid_t self, command;
	sigset_t mask; /* the caller's */
	struct plan plan;
	struct hold hold;
};

#endif
