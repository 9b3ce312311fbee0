/*
 * Which hosts does somebody decide about while the command waits?
 *
 * The helper asks about one at a time; sbx-approve is started for it, as for
 * every other question, and the answer goes back to the helper.
 */
#ifndef SBX_RUN_SUPERVISE_HOST_QUESTIONS_H
#define SBX_RUN_SUPERVISE_HOST_QUESTIONS_H

#include "base/error.h"
#include "supervise/terminal.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Starts sbx-approve with this document; *out is where its answer comes from. */
typedef pid_t host_start(const void *context, const json_t *question, int *out, struct error *err);

struct host_questions {
	host_start *start;
	const void *context;
	json_t *doc;               /* that runs */
	struct terminal *terminal; /* to be borrowed for it; NULL: the question is put elsewhere */
	json_t *asked;             /* for result.questions */
	json_t *settled;           /* "HOST:PORT": true, of all that were asked */
	json_t *event;             /* the open one, or NULL */
	pid_t pid;
	int from;
	char *text;
	size_t used;
	int64_t deadline; /* ms */
	bool late;
	bool aborted;  /* settled, and not answered while the command ends */
	pid_t command; /* the helper, which passes on what is sent to it */
};

/* Where the answer comes from, or -1; when it is too late, or -1. */
int host_questions_fd(const struct host_questions *questions);
int64_t host_questions_due(const struct host_questions *questions);

/* Puts the next question, and passes on the answer to the last one, over `to`. */
void host_questions_step(struct host_questions *questions, json_t *asks, int to);

/* The command is to end, or is gone (-1): nobody has to answer any more. */
void host_questions_end(struct host_questions *questions, int to);

#endif
