/*
 * What is kept of a stream that is longer than anybody wants to read?
 *
 * Its beginning and its end: one says what ran, the other how it failed.
 */
#ifndef SBX_RUN_JOBS_KEPT_H
#define SBX_RUN_JOBS_KEPT_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

struct kept {
	size_t half; /* of the limit */
	char *head, *tail;
	size_t head_used, tail_used, tail_next; /* the tail goes round */
	uint64_t total;
};

/* Takes memory as it is needed. */
void kept_begin(struct kept *kept, size_t limit);
void kept_add(struct kept *kept, const char *bytes, size_t len);
uint64_t kept_left_out(const struct kept *kept);

/* What is there, with a line of ours where something was left out; to be freed. */
char *kept_bytes(const struct kept *kept, size_t *len);
void kept_free(struct kept *kept);

#endif
