/*
 * What belongs to a command while it runs?
 */
#ifndef SBX_RUN_SUPERVISE_SUPERVISED_H
#define SBX_RUN_SUPERVISE_SUPERVISED_H

#include "limits/limiter.h"
#include "process/descendants.h"
#include "report/helper_events.h"
#include "supervise/capture.h"
#include "supervise/event_output.h"
#include "supervise/host_questions.h"
#include "supervise/terminal.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct supervised {
	pid_t pid;               /* also the number of its process group */
	bool sandboxed;          /* pid is the helper, and report is open */
	int64_t timeout_ms;      /* 0: none */
	int signals;             /* from signals_open() */
	const char *command;     /* its first word */
	struct limiter *limiter; /* of a command that has no helper of ours */
	struct report *report;
	struct capture *capture; /* NULL: the command has our streams */
	struct sink *sink;       /* for events, as they come */
	struct host_questions *questions;
	struct terminal *terminal;
	const struct tree *tree;
	int caller; /* hung up when nobody waits for the command any more; -1: nobody says so */
};

#endif
