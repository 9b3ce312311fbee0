/*
 * Looking into a process that waits for the observer's answer.
 *
 * Every path it gives is the process's own: the sandbox shows the host's
 * files under the host's names, except in its private /dev and /proc.
 */
#ifndef SBX_TARGET_H
#define SBX_TARGET_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TARGETS_KEPT 16

/* /proc/PID of those seen lately. */
struct targets {
	struct {
		pid_t pid;
		int directory;
	} kept[TARGETS_KEPT];
};

void targets_begin(struct targets *targets);

/* How many bytes could be read. */
size_t target_read(pid_t pid, uint64_t address, void *buffer, size_t size);

/* A string in its memory; false when there is none, or it is too long for a path. */
bool target_string(pid_t pid, uint64_t address, char path[PATH_MAX]);

/* What a link in /proc/PID says: "cwd", "exe", "fd/3". */
bool target_link(struct targets *targets, pid_t pid, const char *name, char path[PATH_MAX]);

/*
 * The path that a call means, absolute and not yet resolved.  directory is a
 * file descriptor of the process or AT_FDCWD.
 */
bool target_path(struct targets *targets, pid_t pid, int directory, uint64_t address,
                 char path[PATH_MAX]);

#endif
