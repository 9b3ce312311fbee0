/*
 * How does the command come to life?
 */
#ifndef SBX_RUN_SUPERVISE_LAUNCH_H
#define SBX_RUN_SUPERVISE_LAUNCH_H

#include "limits/limiter.h"
#include "supervise/signals.h"
#include "supervise/wrapped.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct launch {
	const struct wrapped *wrapped;
	const struct inherited *inherited;
	int in, out, err; /* what becomes 0, 1 and 2; -1: ours */
	const int *keep;  /* fds that stay open beside those */
	size_t keep_count;
	int report;          /* the helper's end of its socket, or -1 */
	bool brief;          /* nobody reads addresses */
	const char *ask;     /* how it asks about hosts that are not listed; NULL: not at all */
	const char *preview; /* where the helper keeps what is written, or NULL */
	int terminal;        /* given to the command's group before it starts, or -1 */
	const struct limiter *limiter; /* NULL: a helper of ours has its own */
	bool verbose;                  /* the helper speaks by its own name */
};

/*
 * Starts it in a process group of its own.  err->exit is 127 when the command
 * was not found and 126 when it cannot be executed.
 */
pid_t launch(const struct launch *launch, struct error *err);

/*
 * Becomes it: for the sandbox helper, which supervises as well as we do.
 * Returns only on failure.
 */
int launch_here(const struct launch *launch, struct error *err);

#endif
