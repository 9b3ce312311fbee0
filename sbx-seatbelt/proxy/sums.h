/*
 * What was reached through the proxy, and what was refused?
 */
#ifndef SBX_SEATBELT_PROXY_SUMS_H
#define SBX_SEATBELT_PROXY_SUMS_H

#include "proxy/words.h"

#include <stddef.h>

/* A flood of them is the command's own affair. */
#define SUMS_MAX 1000

struct sums {
	struct sum {
		struct proxy_word word;
		uint64_t count;
	} * items;
	size_t count;
};

void sums_add(struct sums *sums, const struct proxy_word *word);

/* `report` -1: only what was refused, for a person. */
void sums_tell(const struct sums *sums, int report);

#endif
