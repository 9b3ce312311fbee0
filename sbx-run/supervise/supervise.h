/*
 * What happens between the command's first instruction and its last?
 */
#ifndef SBX_RUN_SUPERVISE_SUPERVISE_H
#define SBX_RUN_SUPERVISE_SUPERVISE_H

#include "base/error.h"
#include "supervise/supervised.h"

#include <stdbool.h>
#include <stdint.h>

/* Whose status it is, as result.outcome says it. */
enum ending {
	ENDING_EXITED,         /* the command's own */
	ENDING_SIGNALLED,      /* the command was killed */
	ENDING_TIMED_OUT,      /* by us */
	ENDING_NOT_FOUND,      /* there is no such command */
	ENDING_NOT_EXECUTABLE, /* it is there and no program */
	ENDING_NOT_APPROVED,
	ENDING_NO_SANDBOX, /* that the policy needs */
	ENDING_FAILED,     /* ours: nothing ran, or the policy could not be enforced any longer */
};

struct outcome {
	enum ending ending;
	int exit_code; /* as a shell would see it; 124 when timed out */
	int signal;    /* 0: none */
	bool timed_out;
	int64_t duration_ms;
};

/* Returns when the command has ended and what was to be killed is gone. */
int supervise(const struct supervised *what, struct outcome *outcome, struct error *err);

#endif
