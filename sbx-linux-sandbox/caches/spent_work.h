/*
 * What becomes of the kernel's directory when an overlay has ended?
 *
 * It is slow to remove: blocks of three directories are freed, and some file systems wait
 * for the device meanwhile.  So a run leaves it, open to its owner, and the next one
 * removes it while its command runs.
 */
#ifndef SBX_LINUX_SANDBOX_CACHES_SPENT_WORK_H
#define SBX_LINUX_SANDBOX_CACHES_SPENT_WORK_H

#include <pthread.h>
#include <stdbool.h>

struct spent_work {
	int slot;
	bool threaded;
	pthread_t thread;
};

/*
 * "work" is there and empty: what a killed run or an attempt that failed has left in it would
 * be a reason not to mount.  That is spent; -1 with errno.
 */
int work_renew(int slot);

/* The kernel's directories in "work" are closed, also for who wants to be rid of them. */
void work_open(int slot);

/* What is spent goes, beside us; nobody may fork until that is waited for. */
void spent_begin(struct spent_work *spent, int slot);
void spent_wait(struct spent_work *spent);

#endif
