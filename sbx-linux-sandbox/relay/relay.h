/*
 * How do bytes get from one socket to another?
 *
 * Through a pipe that is there only while something is in it, so that an idle
 * connection is two descriptors.  An end of one side is an end of that direction
 * on the other; a reset is a reset, and what is out of band remains so.
 */
#ifndef SBX_LINUX_SANDBOX_RELAY_RELAY_H
#define SBX_LINUX_SANDBOX_RELAY_RELAY_H

#include "gateway/loop.h"

#include <stddef.h>

struct half {
	int pipe[2]; /* -1: none */
	size_t in;   /* bytes in it */
	bool marked; /* something to be read is out of band */
	bool urgent; /* the one that is `in` is not in the pipe, but such a byte */
	char byte;
	bool ended, shut;
	bool idle;       /* there was nothing to read */
	uint64_t *count; /* of all that went through */
};

struct relay;

struct relay_end {
	struct source source;
	struct relay *relay;
};

struct relay {
	struct loop *loop;
	struct relay_end ends[2];
	struct half halves[2]; /* the first leads from ends[0] to ends[1] */
	void (*closed)(struct relay *relay);
};

/*
 * Takes both sockets, which do not block.  When it is over, they are closed and
 * closed() is called.
 */
void relay_begin(struct relay *relay, int first, int second);

/* Both are reset, as is whoever waits at them. */
void relay_reset(struct relay *relay);

/* A socket whose other side sees a reset. */
void reset_socket(int fd);

#endif
