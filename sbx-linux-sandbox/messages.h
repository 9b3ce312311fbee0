/*
 * What do the outer and the inner stage say to each other?
 *
 * Messages of a fixed size over a SOCK_SEQPACKET pair that the command never
 * sees.
 */
#ifndef SBX_LINUX_SANDBOX_MESSAGES_H
#define SBX_LINUX_SANDBOX_MESSAGES_H

#include <stdint.h>

enum message_kind {
	/* inner to outer */
	MESSAGE_READY = 1,   /* the mounts are verified; waiting for the plan's rest */
	MESSAGE_STARTED,     /* the command is executing */
	MESSAGE_NOT_STARTED, /* value: errno of execve(); text: the program */
	MESSAGE_FAILED,      /* text: why the command must not run */
	MESSAGE_REOPENED,    /* value: a file of the command; with the one it has instead */
	MESSAGE_SOCKETS,     /* with a netlink socket of the sandbox's network */
	MESSAGE_LISTENER,    /* with the fd on which the observer is asked */
	MESSAGE_UNOBSERVED,  /* value: errno of the attempt to be observed */
	MESSAGE_STOPPED,     /* value: the signal */
	MESSAGE_EXITED,      /* value: a wait status */
	MESSAGE_HELD,        /* all stand still; value: 0 when they do not */
	MESSAGE_FREED,       /* all go on; value: 0 when one ran before that */
	/* outer to inner */
	MESSAGE_GO,
	MESSAGE_SIGNAL,   /* value: the signal, for the command's process group */
	MESSAGE_CONTINUE, /* value: 1 when the terminal is the command's again */
	MESSAGE_HOLD,     /* every process of the command is to stand still */
	MESSAGE_FREE,     /* and to go on */
};

struct message {
	int32_t kind;
	int32_t value;
	char text[768];
	int fd; /* received with it; -1: none.  Not part of what is sent */
};

/* 0, or -1 with errno. */
int control_send(int fd, enum message_kind kind, int value, const char *text);

/* The same with an fd. */
int control_send_fd(int fd, enum message_kind kind, int value, int passed);

/* 1: received; 0: the other side is gone; -1 with errno. */
int control_receive(int fd, struct message *message);

#endif
