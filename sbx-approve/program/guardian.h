/*
 * How does nothing of a program outlive the question that it was started for?
 *
 * A guardian stands between: it adopts every orphan of the program, so that
 * neither a group nor a session of its own lets a descendant slip away, and it
 * ends them all when we let go of the leash: on purpose, or by dying.
 */
#ifndef SBX_APPROVE_ASK_GUARDIAN_H
#define SBX_APPROVE_ASK_GUARDIAN_H

#include "base/error.h"

#include <stdint.h>
#include <sys/types.h>

struct guarded {
	pid_t guardian;
	int leash; /* -1: not started */
};

struct guarded_program {
	const char *directory; /* where it starts */
	const char *place;     /* what is executed */
	char *const *argv;
	char *const *env;
};

/* Starts a program between two descriptors, in our process group: it may use the terminal. */
int guarded_start(struct guarded *g, const struct guarded_program *program, int in, int out,
                  struct error *err);

/* Its status, 128 and the signal, or -1 when it has not ended within so many milliseconds. */
int guarded_wait(const struct guarded *g, int64_t left_ms);

/* What it left behind may stay. */
void guarded_release(struct guarded *g);
/* Nothing of it stays. */
void guarded_kill(struct guarded *g);

#endif
