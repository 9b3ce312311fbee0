/*
 * What happens while the command runs?  Signals, stops, its end.
 */
#ifndef SBX_LINUX_SANDBOX_OUTER_SUPERVISE_H
#define SBX_LINUX_SANDBOX_OUTER_SUPERVISE_H

#include "base/error.h"
#include "kept/held_watch.h"
#include "limits/limiter.h"
#include "observer/observe.h"
#include "outer/host_questions.h"
#include "outer/reopened_files.h"
#include "process/descendants.h"
#include "repositories/planted_head.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct supervisor {
	int control;   /* to the inner stage */
	int report;    /* -1: nobody listens */
	int signals;   /* signalfd of what is passed on */
	int tty;       /* -1: none */
	bool lifeline; /* report is a socket whose end means: end the command */
	bool terminal_given;
	bool ended;                      /* the sandbox is ending by itself */
	struct observation *observation; /* what the observer is to know */
	struct host_questions questions; /* of the gateway, to our caller */
	struct reopened reopened;        /* files that the caller reads on */
	long long deadline;              /* ms; 0: none.  SIGTERM and SIGHUP set it */
	struct limiter *limiter;
	const char *command;              /* the first word of it */
	struct held_watch watch;          /* of the protected names */
	const struct held_name *lost;     /* the first that was replaced */
	const struct plain_roots *plain;  /* see planted_head.h */
	const struct plain_root *planted; /* the first of which a repository is made */
};

/* Says why the report will have no denials. */
void supervisor_unobserved(const struct supervisor *supervisor, const char *why);

/* What supervise() says besides the command's exit status. */
enum {
	SUPERVISED_DIED = -1,    /* the sandbox died before it said how the command ended */
	SUPERVISED_HUNG_UP = -2, /* the caller wants it ended */
	SUPERVISED_LOST = -3,    /* a protected name was replaced outside */
};

/*
 * Until the command has ended, or must be.  The exit status for our caller,
 * with the event reported, or one of the above.
 */
int supervise(struct supervisor *supervisor, struct held *held, pid_t bwrap);

/* When the tree is gone: what was used, and which limits were only approximate. */
void supervisor_usage(const struct supervisor *supervisor);

/* Says that a protected name was lost, when the tree is gone. */
void supervisor_lost(const struct supervisor *supervisor);

/*
 * Waits until the last process of the sandbox is gone; kills what is left of
 * it unless it is ending by itself.
 */
void end_tree(const struct tree *tree, pid_t first, bool by_itself);

#endif
