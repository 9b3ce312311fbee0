/*
 * Where may a cgroup of ours be made?
 *
 * In the unified hierarchy a cgroup with processes has no controllers to give to
 * others below it.  So the place is the nearest directory above our own cgroup that
 * gives the controllers that are wanted and that we may write: that of root, or a
 * subtree that was delegated to the user.  In the older hierarchies, one for each
 * controller, it is our own cgroup there.
 */
#ifndef SBX_LIMITS_CGROUP_PLACE_H
#define SBX_LIMITS_CGROUP_PLACE_H

#include "policy/resource_limits.h"

#include <stdbool.h>

/* One for each controller, and the unified one. */
#define PLACES_MAX 4

struct cgroup_place {
	char *path; /* of the directory in which one may be made */
	bool unified;
	unsigned holds; /* 1 << LIMIT_..., of those that were wanted */
};

struct cgroup_places {
	struct cgroup_place items[PLACES_MAX];
	size_t count;
};

/* Who looks. */
enum cgroup_looker {
	PLACES_TO_USE,      /* a controller that nobody has enabled yet is, where we may */
	PLACES_TO_TELL,     /* nothing is changed */
	PLACES_TO_TELL_ROOT /* nor here; root, who has lost the right to write, but was it */
};

/* For the limits that are set. */
void cgroup_places_find(const struct limits *limits, enum cgroup_looker who,
                        struct cgroup_places *places);
void cgroup_places_free(struct cgroup_places *places);

/* The limits that the places hold together. */
unsigned cgroup_places_hold(const struct cgroup_places *places);

#endif
