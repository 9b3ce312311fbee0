/*
 * Which limits are only approximate here, or not held at all?
 */
#ifndef SBX_LIMITS_LOST_LIMITS_H
#define SBX_LIMITS_LOST_LIMITS_H

#include "policy/resource_limits.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * 1 << LIMIT_...; mounted: /tmp can be a file system of the run's own; root: so we were
 * when we started.
 */
unsigned lost_limits(const struct limits *limits, bool mounted, bool root);

/* {"guarantee","why","cure"} for each, added to the list. */
void lost_limits_add(json_t *list, unsigned lost);

#endif
