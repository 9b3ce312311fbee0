/*
 * Does the sandbox come up in this way, and if not, why?
 */
#ifndef SBX_LINUX_SANDBOX_OUTER_ATTEMPT_H
#define SBX_LINUX_SANDBOX_OUTER_ATTEMPT_H

#include "outer/outer_state.h"

/* How an attempt ended: with the inner stage instructed, or why not. */
enum outcome {
	STARTED,
	NO_PROC,      /* no fresh /proc here: a container hides parts of its own */
	NO_NAMESPACE, /* this bubblewrap may not make namespaces */
	NO_OVERLAY,   /* no cache can be shown as a copy */
	NOT_SHARED,   /* no network that several runs are in can be made or entered */
	NO_LOOPBACK,  /* it made one and may not set it up */
	CHANGED,      /* a source went away between our look and its mount */
	FAILED,       /* err is filled */
};

enum outcome attempt(struct outer *outer, bool no_proc, struct error *err);

/*
 * In which way does the sandbox come up here?
 */

/* One way after the other, until the inner stage has been instructed. */
int launch(struct outer *outer, struct error *err);

#endif
