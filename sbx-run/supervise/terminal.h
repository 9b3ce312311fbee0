/*
 * Who owns the terminal?
 *
 * Job control like a shell with one job.  The command has a process group of
 * its own, so that kill(0) in it cannot reach the caller.  A job that is alone
 * in its group gets the terminal at once.  One that shares it (a pipeline, a
 * script, a program that started us) gets it when it asks for it, that is when
 * the kernel stops it for reading or setting it: until then ^C still reaches
 * the others, and `sbx-run make | less` leaves the keyboard to less.
 */
#ifndef SBX_RUN_SUPERVISE_TERMINAL_H
#define SBX_RUN_SUPERVISE_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

struct terminal {
	int fd;         /* -1: no controlling terminal */
	bool owned;     /* fd was opened by us */
	bool given;     /* the command's group has it, by our doing */
	pid_t job;      /* the group of the job: the helper's, which takes it back at the end */
	bool wants;     /* it had it before, and gets it back after a stop */
	bool stopping;  /* ^Z reached us, the command was told, and has not stopped yet */
	bool overtaken; /* and before it did, the job was continued */
	pid_t lender;   /* the group that had it before a question; 0: none is open */
	struct termios before; /* its settings then */
};

/* Looks for it; touches nothing.  Every call needs SIGTTOU blocked. */
void terminal_open(struct terminal *terminal);
void terminal_close(struct terminal *terminal);

/* If it is ours to give. */
bool terminal_give(struct terminal *terminal, pid_t group);

/* After SIGCONT: to the command again, if it had it and the shell gave it to us. */
void terminal_again(struct terminal *terminal, pid_t group);

/* For a question, while the command stands still; false: it is neither ours nor the command's. */
bool terminal_borrow(struct terminal *terminal);
/* Again, where the command's end has taken it from the question. */
void terminal_hold(struct terminal *terminal);
void terminal_return(struct terminal *terminal);

/* If we gave it. */
void terminal_take(struct terminal *terminal);

#endif
