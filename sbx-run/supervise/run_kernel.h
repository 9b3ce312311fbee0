/*
 * What can only this kernel do for us?  The calls that Linux has and others
 * have not, each with what it is worth elsewhere.
 */
#ifndef SBX_RUN_SUPERVISE_RUN_KERNEL_H
#define SBX_RUN_SUPERVISE_RUN_KERNEL_H

#include "base/error.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Orphans of the command become our children, so that they can be found. */
int kernel_adopt_orphans(struct error *err);

/*
 * In the child: die when the parent does.  False when it already has.  Not
 * for the helper, which must outlive us to clean up.
 */
bool kernel_die_with_parent(pid_t parent);

/* Blocks the set and opens an fd to read its signals from, non-blocking. */
int kernel_signal_fd(const sigset_t *set, struct error *err);
bool kernel_signal_read(int fd, int *number, bool *keyboard);
void kernel_signal_close(int fd);

#endif
