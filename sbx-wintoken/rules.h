/*
 * Which directories does a policy open, and can a restricted token hold it?
 *
 * A write-restricted token limits writing alone, by entries on directories.
 * What it cannot hold is refused with EXIT_UNAVAILABLE and the entry's name;
 * nothing is held half.
 */
#ifndef SBX_WINTOKEN_RULES_H
#define SBX_WINTOKEN_RULES_H

#include "base/error.h"
#include "policy/permissions.h"
#include "spelling/winpath.h"

#include <jansson.h>
#include <stdbool.h>

struct rule {
	struct winpath path;
	enum access access;
	size_t root; /* of a carve-out: the writable root that it is in */
	bool is_root, is_carve_out;
};

struct rules {
	struct rule *list; /* by key; a directory comes before what is in it */
	size_t count;
	struct permissions keys; /* the same by key, to look paths up in */
};

/* Who holds the policy: a token limits writing alone, a user of its own reading as well. */
enum holder {
	RULES_OF_TOKEN,
	RULES_OF_USER,
};

int rules_get(const json_t *policy, enum holder holder, struct rules *rules, struct error *err);
void rules_free(struct rules *rules);

/* The root that holds a path, or NULL: nothing there is writable. */
const struct rule *rules_root_of(const struct rules *rules, const struct winpath *path);

#endif
