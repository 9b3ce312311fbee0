/*
 * What does the system log say that a running command was denied?
 *
 * Speaks to a supervisor as the Linux helper does: JSON lines on an inherited
 * socket, {"event":"started"}, {"event":"denial",...}, {"event":"lost",...}
 * and, last, {"event":"exit","code":N} or {"event":"exit","signal":N}.  When
 * the other end hangs up, the command is killed.
 */
#ifndef SBX_SEATBELT_WATCH_H
#define SBX_SEATBELT_WATCH_H

#include "base/error.h"

#include <stdbool.h>

struct watch {
	int report;                        /* -1: a list for a person, on stderr, at the end */
	bool no_log;                       /* the command is run, and nobody reads the log */
	char **env;                        /* of the command; NULL: ours */
	void (*before_end)(void *context); /* once, before the end is told; NULL */
	void *context;
};

int watch_report_fd(struct watch *watch, const char *value, struct error *err);

/* The exit status: the command's own, 128 + its signal, or 125 to 127. */
int watch_command(const struct watch *watch, char **argv);

#endif
