/*
 * Which trees, with which holes, do the entries mean?
 *
 * Of the entries the most specific decides; the rules made from regions do not
 * depend on their order.
 */
#ifndef SBX_SEATBELT_REGIONS_H
#define SBX_SEATBELT_REGIONS_H

#include "policy/permissions.h"

#include <stdbool.h>

struct region {
	const struct entry *start;
	const struct entry **holes; /* by path */
	size_t hole_count;
};

struct regions {
	struct region *list;
	size_t count;
};

/* Does an entry with this access belong to the region? */
typedef bool region_test(enum access access);

bool region_reads(enum access access);
bool region_writes(enum access access);
bool region_hides(enum access access);

/*
 * With `repositories` an entry that is or lies in a ".git" which its parent
 * entry is not in starts a region of its own.
 */
void regions_make(struct regions *regions, const struct permissions *permissions, region_test *in,
                  bool repositories);
void regions_free(struct regions *regions);

/* How many components of path are called ".git", in any case. */
size_t region_git_depth(const char *path);

#endif
