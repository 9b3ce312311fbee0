/*
 * What did the sandbox refuse, and what is the least that would have allowed
 * it?
 *
 * {"op","path"|"address","syscall","program","rule","grant","allow_with",
 * "count"}; "grant" is null when no policy can allow it.
 */
#ifndef SBX_GRANT_DENIAL_H
#define SBX_GRANT_DENIAL_H

#include "grant/grant.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * The grant of one denial: what the observer says, checked, or what follows
 * from the path or address when it says nothing.  False when there is none.
 */
bool denial_grant(const json_t *denial, struct grant *grant);

/*
 * What was denied itself, which says more than the one place that would open
 * it; NULL when the grant is of several or there is no such path.
 */
char *denial_path(const json_t *denial, const json_t *grant_paths);

/*
 * The directory that was to be made where every tool has its own, in a home
 * directory: opened itself, it is less than the one that it was to be made in.
 * NULL when it was something else.
 */
char *denial_new_directory(const json_t *denial);

/* git makes it, for a checkout: only an empty one would do, and a root has names in it. */
bool denial_wants_empty(const json_t *denial);

#endif
