/*
 * What waits to be read by the client?
 *
 * A client that reads slowly, or not at all, holds up neither a command nor the
 * server: from OUTBOX_FULL on it is asked nothing, told nothing and heard no more
 * until it has read, and what is only news is dropped long before.
 */
#ifndef SBX_RUN_RPC_OUTBOX_H
#define SBX_RUN_RPC_OUTBOX_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define OUTBOX_BUSY ((size_t)1 << 20)
#define OUTBOX_FULL ((size_t)8 << 20)

struct outbox {
	int fd;
	char *text;
	size_t start, used, room;
	bool broken; /* the client reads no more */
};

/* One message, in one line. */
void outbox_add(struct outbox *outbox, const json_t *message);
size_t outbox_waiting(const struct outbox *outbox);

/* Writes what the client takes now, without waiting for it; the fd is known to be writable. */
void outbox_push(struct outbox *outbox);
void outbox_free(struct outbox *outbox);

#endif
