/*
 * What does a helper tell us while it runs?
 *
 * JSON lines: {"event":"started"} once the command is executed,
 * {"event":"exit","code":N} or {"event":"exit","signal":N} as the last one,
 * {"event":"lost","guarantee":...,"why":...} in between, {"event":"usage",...} after
 * the exit, and about denials
 * {"event":"denial","id":N,...} at the first of its kind, {"event":"repeated",
 * "id":N,"count":N} at the end, {"event":"dropped","count":N} for what is not
 * kept, {"event":"unobserved","why":...} when nobody looks, and {"event":"ask",...} for
 * a host that it waits to be told about (host_questions.h).  A helper that can
 * hold the policy no longer ends the command, and exits without an exit.  Our end going
 * away, by whatever cause, tells the helper to kill the tree, clean up and exit.
 */
#ifndef SBX_RUN_REPORT_HELPER_EVENTS_H
#define SBX_RUN_REPORT_HELPER_EVENTS_H

#include "base/error.h"
#include "report/denials.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A longer line is no event of ours and is skipped. */
#define REPORT_LINE_MAX 65536

/* Guarantees; there are not that many. */
#define REPORT_LOST_MAX 100

struct report {
	int fd;  /* our end; -1: no helper, or it has hung up */
	int end; /* the helper's end, until it has been started */
	char *line;
	size_t used;
	bool skipping;
	bool started, exited;
	int code, signal; /* of the command, once exited */
	json_t *lost;     /* a list, or NULL */
	json_t *usage;    /* for result.usage, or NULL */
	json_t *asks;     /* {"event":"ask","host","port","program"}, to be taken from here */
	struct denials *denials;
};

int report_open(struct report *report, struct denials *denials, struct error *err);
void report_started(struct report *report);
void report_close(struct report *report);

/* All there is to read now. */
void report_read(struct report *report);

/* Kill the tree, clean up, exit. */
void report_hang_up(const struct report *report);

#endif
