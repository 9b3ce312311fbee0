/*
 * What can only this kernel do?
 *
 * The calls that Linux has and others have not, each with what does the same
 * elsewhere, or what it is worth there.
 */
#ifndef SBX_PROCESS_THIS_KERNEL_H
#define SBX_PROCESS_THIS_KERNEL_H

#include "base/error.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Orphans of what we start become our children, so that they can be found. */
int kernel_adopt_orphans(struct error *err);

/*
 * In a child: this signal when the parent dies.  False when it already has;
 * where the kernel does not tell, it ends with the pipe it writes to.
 */
bool kernel_die_with_parent(pid_t parent, int number);

/* Readable when the process has ended. */
int kernel_process_fd(pid_t pid, struct error *err);

/*
 * Readable when one of the set has come, non-blocking; they do nothing else any
 * more.  One at a time in a process.
 */
int kernel_signal_fd(const sigset_t *set, struct error *err);
bool kernel_signal_read(int fd, int *number, bool *keyboard);
void kernel_signal_close(int fd);

/*
 * Two names of one directory change places; -1 with errno, ENOSYS, EINVAL or
 * ENOTSUP where that cannot be had.
 */
int kernel_exchange(int directory, const char *a, const char *b);

/* A name becomes another that is not there yet. */
int kernel_rename_new(int directory, const char *from, const char *to);

/*
 * Of open files: `to` gets the access list and the user's own attributes of
 * `from`, and no access list where that has none; a mode says less.  -1 with errno.
 */
int kernel_same_attributes(int from, int to);

/* A file in memory that a program may inherit, at its beginning; -1 with errno. */
int kernel_memory_file(const char *name, const char *text, size_t len);

/* Unix stream sockets that no program inherits; -1 with errno. */
int kernel_socket(void);
int kernel_accept(int listener);

#endif
