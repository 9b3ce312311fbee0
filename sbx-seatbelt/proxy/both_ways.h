/*
 * How do bytes get from a client to a server, and back?
 *
 * An end of one direction is an end on the other side; a reset is a reset.
 */
#ifndef SBX_SEATBELT_PROXY_BOTH_WAYS_H
#define SBX_SEATBELT_PROXY_BOTH_WAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WAY_BYTES 65536

struct way {
	int from, to;
	char bytes[WAY_BYTES];
	size_t at, len; /* what waits in it */
	bool ended, shut;
	uint64_t count; /* of all that was read */
};

struct both_ways {
	struct way up, down; /* from the client; from the server */
	int stop;            /* readable: it is over */
};

/* What waits already goes first. */
void both_ways_begin(struct both_ways *both, int client, int server, int stop);
void both_ways_move(struct both_ways *both);

/* Reads once, as far as there is room, until somebody says something; false: it is over. */
bool both_ways_listen(struct both_ways *both);

/* So much of what waits, before all of it moves. */
bool way_pass(struct way *way, size_t len);

#endif
