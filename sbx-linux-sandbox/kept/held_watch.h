/*
 * When is it time to look whether the protected names still hold?
 *
 * When the mount table of the sandbox changes, which nothing inside can cause:
 * somebody outside unlinked a mount point, or renamed something over it.  When
 * our own changes: something was mounted over a name.  Renaming a name away
 * changes neither, so now and then as well.  (An inotify watch would see that
 * at once, but to close it takes the kernel longer than a short command runs,
 * and a user may have 128.)
 */
#ifndef SBX_LINUX_SANDBOX_KEPT_HELD_WATCH_H
#define SBX_LINUX_SANDBOX_KEPT_HELD_WATCH_H

#include "kept/held.h"

#include <sys/types.h>

struct held_watch {
	struct held *held;
	pid_t bwrap;     /* whose child is inside */
	int tables[2];   /* mountinfo inside and outside; -1: not open yet, or not to be had */
	long long begun; /* ms; 0: the tables were not opened yet */
	long long next;  /* ms: when to look */
};

void held_watch_begin(struct held_watch *watch, struct held *held, pid_t bwrap, long long now);
void held_watch_end(struct held_watch *watch);

/* How long to wait at most; -1: nothing is protected. */
int held_watch_left(const struct held_watch *watch, long long now);

/* The name that is lost, or NULL.  To be called when a table changed or the time has come.
 */
const struct held_name *held_watch_look(struct held_watch *watch, long long now);

/* The same at the end: what the command did in the last moment counts as well. */
const struct held_name *held_watch_judge(struct held_watch *watch);

/*
 * Is every protected name still held by its mount?
 *
 * A file that has a second name for a moment can be unlinked and linked again:
 * it is the same, so that held_changed() sees nothing, but its mount is gone.
 */

#endif
