/*
 * What does the observer keep between two calls?
 */
#ifndef SBX_LINUX_SANDBOX_OBSERVER_OBSERVER_STATE_H
#define SBX_LINUX_SANDBOX_OBSERVER_OBSERVER_STATE_H

#include "broker/broker.h"
#include "filter/choose_filter.h"
#include "observer/judge.h"
#include "observer/observation.h"
#include "observer/watched_calls.h"

#include <stdbool.h>
#include <stdint.h>

#define NUMBERS 1024

struct observer {
	struct observation what;
	struct judge judge;
	struct broker broker; /* if there is a ground */
	int listener;
	bool begun; /* the sandbox was tried, and the command runs */
	bool recording;
	/* By number of the call: every one that is watched waits for this to be looked up. */
	const struct call *calls[NUMBERS];
	/* The rules that apply, each with the next one for the same call. */
	struct chained {
		const struct rule *rule;
		const struct chained *next;
	} * rules, *rules_of[NUMBERS];
};

/* Without us the command hangs; the end of us ends it. */
_Noreturn void observer_end_all(void);

/* The call returns this. */
void observer_return(int listener, uint64_t id, int64_t value);

/* The caller goes on with its call, or gets the errno. */
void observer_answer(int listener, uint64_t id, int error, bool go_on);

#endif
