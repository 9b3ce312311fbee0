/*
 * Does a signal end what is done for a process that sleeps until it is answered?
 *
 * The kernel wakes such a process for nothing but its death (so that open() does not say
 * EINTR), and a program that bounds a connect() by alarm(), or that somebody
 * wants to stop with ^C, would wait for minutes.
 */
#ifndef SBX_LINUX_SANDBOX_NETWORK_INTERRUPTION_H
#define SBX_LINUX_SANDBOX_NETWORK_INTERRUPTION_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/types.h>

/* The kernel's own: a system call that a signal interrupts starts again, or says EINTR. */
#define CALL_RESTARTS 512

#define INTERRUPTION_LOOK_MS 100

/* A signal with a handler is due.  One that another thread could take is left to that. */
bool is_interrupted(pid_t pid);

/* connect(), as the process would do it: 0, an errno or CALL_RESTARTS. */
int connect_until_interrupted(int fd, const struct sockaddr *address, socklen_t len, pid_t pid);

#endif
