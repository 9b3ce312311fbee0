/*
 * Which repositories lie below a writable root?
 *
 * They are found by a walk whose cost is bounded.
 */
#ifndef SBX_POLICY_REPOSITORIES_NESTED_REPOSITORIES_H
#define SBX_POLICY_REPOSITORIES_NESTED_REPOSITORIES_H

#include "entries/workbench.h"

struct remembered;

/* What kind of root a root is. */
enum place {
	PLACE_WORKSPACE,
	PLACE_ROOT,      /* a person named it */
	PLACE_TEMPORARY, /* /tmp, $TMPDIR: strangers can write there as well */
};

/* Protects what is found, and remembers it; counts what it cost, and says when it was cut. */
void protect_nested(struct workbench *bench, const char *root, enum place place,
                    struct remembered *remembered);

#endif
