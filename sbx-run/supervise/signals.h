/*
 * Which signals does a supervisor act on, and what did it find set?
 *
 * No disposition is changed for long: the signals below are blocked and read
 * as data, so that the command starts with exactly what the caller gave us.
 */
#ifndef SBX_RUN_SUPERVISE_SIGNALS_H
#define SBX_RUN_SUPERVISE_SIGNALS_H

#include "base/error.h"

#include <signal.h>
#include <stdbool.h>

/* What the caller gave us, for the command to inherit. */
struct inherited {
	struct sigaction pipe, child; /* the two we change for ourselves */
	sigset_t mask;
};

/* Before anything else in main(): remembers, and makes SIGCHLD usable. */
void inherited_save(struct inherited *inherited);

/* In the new process, right before it executes the command, or what waits for it. */
void inherited_restore(const struct inherited *inherited, bool waits);

/* A signal as it arrived. */
struct arrival {
	int number;
	bool keyboard; /* sent by the kernel to a whole process group: ^C, ^Z, hang-up */
};

/*
 * Blocks the signals and opens the fd they are read from.  What was ignored
 * when we were started (nohup, background jobs of old shells) stays ignored.
 */
int signals_open(struct error *err);
void signals_close(int fd, const struct inherited *inherited);

/* The next one; false when there is none. */
bool signals_next(int fd, struct arrival *arrival);

#endif
