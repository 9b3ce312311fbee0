/*
 * How does every process of the command stand still, and did it?
 *
 * While a question is on the terminal that the command has as well, nobody else
 * may draw on it.  Stopping them is not enough: a timer of a process can
 * continue it.  So all of their switches are counted, before and after.
 */
#ifndef SBX_LINUX_SANDBOX_INNER_HOLD_H
#define SBX_LINUX_SANDBOX_INNER_HOLD_H

#include <stdbool.h>
#include <sys/types.h>

struct hold {
	bool held;
	pid_t *stopped; /* were so before, and stay so */
	size_t count;
	char *before; /* how often each thread has run */
};

/* False: they do not come to rest, or cannot be looked at. */
bool hold_begin(struct hold *hold);

/* Everybody goes on; false: somebody ran meanwhile. */
bool hold_end(struct hold *hold);

#endif
