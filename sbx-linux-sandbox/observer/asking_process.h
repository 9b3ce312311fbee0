/*
 * What is in the process that waits for the observer's answer?
 *
 * Every path it gives is the process's own: the sandbox shows the host's
 * files under the host's names, except in its private /dev and /proc.
 */
#ifndef SBX_LINUX_SANDBOX_OBSERVER_ASKING_PROCESS_H
#define SBX_LINUX_SANDBOX_OBSERVER_ASKING_PROCESS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TARGETS_KEPT 16

/* Processes seen lately: their /proc/PID, and where they are. */
struct targets {
	struct {
		pid_t pid;
		int directory;
		long long known; /* when the working directory was read, in us; 0: it was not */
		char *cwd;
	} kept[TARGETS_KEPT];
	long long moved; /* when a process last asked to change its own */
};

void targets_begin(struct targets *targets);
void targets_end(struct targets *targets);

/* A process is about to go elsewhere, or a directory to be called otherwise. */
void targets_moved(struct targets *targets);

/* How many bytes could be read. */
size_t target_read(pid_t pid, uint64_t address, void *buffer, size_t size);

/* What a link in /proc/PID says: "cwd", "exe", "fd/3". */
bool target_link(struct targets *targets, pid_t pid, const char *name, char path[PATH_MAX]);

/* What a call names. */
struct named {
	char path[PATH_MAX]; /* absolute and not yet resolved */
	bool nothing;        /* the text was empty: the path is the descriptor's own */
	bool directory;      /* a slash at the end: nothing else will do */
	bool dots;           /* "." or ".." at the end, which is no name of its own */
};

/* directory is a file descriptor of the process or AT_FDCWD. */
bool target_path(struct targets *targets, pid_t pid, int directory, uint64_t address,
                 struct named *named);

/* The first thread of the process that a thread is of; 0 when it is gone. */
pid_t thread_leader(pid_t thread);

#endif
