/*
 * Which line did the client send next?
 *
 * What it sends is bounded: a line that is longer than LINE_MAX_BYTES is read past,
 * kept nowhere, and told of once.
 */
#ifndef SBX_RUN_RPC_INCOMING_H
#define SBX_RUN_RPC_INCOMING_H

#include <stdbool.h>
#include <stddef.h>

#define LINE_MAX_BYTES ((size_t)16 << 20)

struct incoming {
	int fd;
	char *data;
	size_t start, used, room; /* what is not taken yet is between start and used */
	size_t seen;              /* of that, what holds no end of a line */
	bool passing;             /* the rest of a line that is too long */
	bool ended;               /* nothing more comes */
};

enum line {
	LINE_NONE, /* not yet */
	LINE_WHOLE,
	LINE_TOO_LONG,
};

/* Reads once what is there; the fd is known to be readable. */
void incoming_fill(struct incoming *in);

/* The next line without its end, which the last of all need not have; it stays where it is until
 * the next call of either. */
enum line incoming_next(struct incoming *in, const char **text, size_t *len);
void incoming_free(struct incoming *in);

#endif
