/*
 * What happens while the command runs: signals, stops, its end.
 */
#ifndef SBX_SUPERVISE_H
#define SBX_SUPERVISE_H

#include "error.h"
#include "observe.h"
#include "reopen.h"
#include "tree.h"

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
	struct reopened reopened;        /* files that the caller reads on */
	long long deadline;              /* ms; 0: none.  SIGTERM and SIGHUP set it */
};

/* Says why the report will have no denials. */
void supervisor_unobserved(const struct supervisor *supervisor, const char *why);

/* The terminal, if we are its foreground group. */
bool supervisor_owns_terminal(const struct supervisor *supervisor);

/*
 * Whether the command gets it from the start.  In a pipeline it shares our
 * group with a pager that needs the keyboard; there the command gets the
 * terminal when it first uses it.
 */
bool supervisor_gives_terminal(const struct supervisor *supervisor);

/*
 * Until the command has ended.  The exit status for our caller, with the
 * event reported; -1 when the sandbox died before it said how the command
 * ended; -2 when the caller wants it ended.
 */
int supervise(struct supervisor *supervisor);

/*
 * Waits until the last process of the sandbox is gone; kills what is left of
 * it unless it is ending by itself.
 */
void end_tree(const struct tree *tree, pid_t first, bool by_itself);

#endif
