/*
 * Where do events go while the command runs?
 *
 * JSON lines to a descriptor of the caller's.  A reader that is slow, or reads
 * nothing, holds up neither the command nor us: what it has not taken waits
 * here, and what does not fit is counted.
 */
#ifndef SBX_RUN_SUPERVISE_EVENT_OUTPUT_H
#define SBX_RUN_SUPERVISE_EVENT_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct sink {
	int fd; /* -1: nobody asked */
	char *text;
	size_t used;
	size_t lost; /* events that did not fit */
	bool broken; /* the reader went away */
};

void sink_event(struct sink *sink, const json_t *event);

/* The fd to wait for, or -1 when nothing is left to write. */
int sink_waits(const struct sink *sink);

/* Writes what can be written now. */
void sink_push(struct sink *sink);

/* The rest and the last event of all, for a reader that still reads; frees. */
void sink_finish(struct sink *sink, const json_t *last);

#endif
