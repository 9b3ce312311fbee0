/*
 * How does a question of the gateway get to our caller, and the answer back?
 *
 * As a line of the report, {"event":"ask","host","port","program"}, one at a
 * time; the answer is a line the other way, {"host","port","allow"}.  Where the
 * question is put on the command's own terminal, every process of the sandbox
 * stands still meanwhile: it could draw another question over ours.
 */
#ifndef SBX_LINUX_SANDBOX_OUTER_HOST_QUESTIONS_H
#define SBX_LINUX_SANDBOX_OUTER_HOST_QUESTIONS_H

#include "gateway/words.h"

#include <stdbool.h>
#include <stddef.h>

#define QUESTIONS_WAITING 16  /* as many as the gateway asks at a time */
#define ANSWER_LINE       512 /* a longer one is no answer */

struct host_questions {
	bool can, hold;
	int control, report, gateway;
	struct gateway_word words[QUESTIONS_WAITING]; /* the first is the one that is open */
	size_t count;
	bool allowed; /* what was said to the first, while the command is set free */
	char line[ANSWER_LINE];
	size_t used;
};

/* Asked by the gateway. */
void host_asked(struct host_questions *questions, const struct gateway_word *word);

/* MESSAGE_HELD and MESSAGE_FREED of the inner stage; true: nobody has moved. */
void host_held(struct host_questions *questions, bool quiet);
void host_freed(struct host_questions *questions, bool quiet);

/* What the caller said; false: it is gone. */
bool host_hear(struct host_questions *questions);

#endif
