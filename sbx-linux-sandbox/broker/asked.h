/*
 * What does the command ask for?
 *
 * Arguments lie in memory that its other threads can write, and descriptors
 * can be made to mean something else at any time.  So each is copied or pinned
 * once, and only the copy is judged and used.
 */
#ifndef SBX_BROKER_ASKED_H
#define SBX_BROKER_ASKED_H

#include <limits.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct asked {
	const struct seccomp_notif *request;
	int listener;
	const struct shared_memory *memory; /* its own part of /dev/shm */
};

static inline pid_t asked_by(const struct asked *asked)
{
	return (pid_t)asked->request->pid;
}

/* Whoever asked still waits: what was read is its own, and not that of a later process. */
bool asked_still(const struct asked *asked);

/* 0 or -errno. */
int asked_text(const struct asked *asked, uint64_t address, char text[PATH_MAX]);
int asked_bytes(const struct asked *asked, uint64_t address, void *buffer, size_t size);

/* An open file, or the working directory for AT_FDCWD, pinned by O_PATH; or -errno. */
int asked_file(const struct asked *asked, int fd);

/* The leader of the thread that asks; -1. */
pid_t asked_leader(const struct asked *asked);

/* Umasks that were read lately. */
#define UMASKS_KEPT 16
struct umasks {
	struct {
		pid_t pid;
		mode_t mask;
		long long known; /* in us; 0: it is not */
	} kept[UMASKS_KEPT];
	long long changed;
};

/* Sets ours to that of whoever asks: only one thread makes files.  0 or -errno. */
int umask_take(struct umasks *umasks, const struct asked *asked);

/* Somebody is about to change it. */
void umasks_changed(struct umasks *umasks);

#endif
