/*
 * A resolved policy: the settings applied to this machine and this workspace.
 *
 * Every path in it is canonical, except that a carve-out which is a symbolic
 * link is there under its own name as well as under its target's.
 */
#ifndef SBX_POLICY_POLICY_H
#define SBX_POLICY_POLICY_H

#include "error.h"
#include "notes.h"
#include "permissions.h"
#include "settings.h"

#include <stdbool.h>
#include <stddef.h>

/* What kind of root a root is. */
enum place {
	PLACE_WORKSPACE,
	PLACE_ROOT,      /* a person named it */
	PLACE_TEMPORARY, /* /tmp, $TMPDIR: strangers can write there as well */
};

/* Why an entry is there. */
struct origin {
	char *path;
	enum access access;
	const char *source;
	bool named; /* a person named this path: it can reopen what is protected */
};

struct policy {
	const struct settings *settings;
	char *workspace;
	struct permissions permissions;
	struct origin *origins;
	size_t origin_count;
	struct notes notes;
	size_t walked;              /* directories that were searched for repositories */
	bool cut;                   /* the search ended before it had seen everything */
	struct root_list cut_roots; /* in these */
};

/* Fills policy; `workspace` is canonical. */
int policy_resolve(struct policy *policy, const struct settings *settings, const char *workspace,
                   struct error *err);
void policy_free(struct policy *policy);

/* Adds an entry and remembers why. */
void policy_add(struct policy *policy, const char *path, enum access access, const char *source,
                bool named);

/* Why the entry for exactly this path is there; NULL when there is none. */
const struct origin *policy_origin(const struct policy *policy, const char *path);

/* The network that results from the mode and the settings, and its source. */
enum network policy_network(const struct settings *settings, const char **source);

#endif
