/*
 * What can only this kernel do for a session?  The calls that Linux has and
 * others have not, each with what does the same elsewhere.
 */
#ifndef SBX_APPROVE_SESSION_SESSION_KERNEL_H
#define SBX_APPROVE_SESSION_SESSION_KERNEL_H

#include "base/error.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Readable when the process has ended. */
int kernel_process_fd(pid_t pid, struct error *err);

/* Readable when one of the set has come; they do nothing else any more. */
int kernel_signal_fd(const sigset_t *set, struct error *err);

/*
 * In a child: SIGTERM when the parent dies.  False when it already has; where
 * the kernel does not tell, it ends with the pipe it writes to.
 */
bool kernel_die_with_parent(pid_t parent);

/* What descendants leave behind becomes our child, where the kernel can do that. */
void kernel_adopt_orphans(void);

/* Unix stream sockets that no program inherits; -1 with errno. */
int kernel_socket(void);
int kernel_accept(int listener);

#endif
