/*
 * How is a program of the suite started with given standard streams?
 */
#ifndef SBX_PROCESS_SPAWN_H
#define SBX_PROCESS_SPAWN_H

#include "base/error.h"

#include <sys/types.h>

/* A pipe whose ends are both close-on-exec. */
int pipe_open(int ends[2], struct error *err);

/*
 * Starts path with argv.  in, out and err become the child's 0, 1 and 2; -1
 * keeps the caller's.  SIGPIPE and SIGCHLD get their default action, and the
 * mask is empty.
 */
pid_t spawn(const char *path, char *const *argv, char *const *envp, int in, int out, int err,
            struct error *error);

/* The same, in a directory; NULL: the caller's. */
pid_t spawn_in(const char *directory, const char *path, char *const *argv, char *const *envp,
               int in, int out, int err, struct error *error);

/* Waits for the child: its exit code, or 128 + the signal that ended it; -1 and errno. */
int spawn_wait(pid_t child);

#endif
