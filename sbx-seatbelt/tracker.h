/*
 * Which processes came from the command?
 *
 * The log speaks of every sandboxed process of the machine.  A process that
 * was once below the command stays in the set: its denials may be read after
 * its end.
 */
#ifndef SBX_SEATBELT_TRACKER_H
#define SBX_SEATBELT_TRACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process {
	pid_t pid, parent;
};

struct tracker {
	pid_t *pids;
	size_t count;
	int wakes; /* an fd to poll for new processes; -1: there is none */
};

void tracker_begin(struct tracker *tracker, pid_t command);
void tracker_free(struct tracker *tracker);

/* Adds whatever in the table is below something in the set. */
void tracker_add(struct tracker *tracker, const struct process *table, size_t count);

/* The same with the table of now. */
void tracker_look(struct tracker *tracker);

bool tracker_has(const struct tracker *tracker, pid_t pid);

#endif
