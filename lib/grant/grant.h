/*
 * What did an approver give beyond the policy?
 *
 * In JSON {"write":[path...],"read":[path...],"unix_sockets":[path...],
 * "network":"off"|"loopback"|"hosts"|"on","hosts":[host...]}, or {"sandbox":"none"}, which names in
 * "none" all that the policy hides (hidden.h).
 */
#ifndef SBX_GRANT_GRANT_H
#define SBX_GRANT_GRANT_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

enum grant_list {
	GRANT_WRITE,
	GRANT_READ,
	GRANT_SOCKETS,
	GRANT_PATHS, /* these are lists of paths */
	GRANT_HOSTS = GRANT_PATHS,
	GRANT_LISTS,
};

extern const char *const grant_lists[]; /* by enum grant_list */

struct grant {
	char **paths[GRANT_LISTS]; /* normal, or hosts; NULL-terminated; NULL: none */
	int network;               /* enum network; -1: as the policy says */
	bool outside;              /* a run without a sandbox */
	json_t *none;              /* of the hidden places, those that it names; or NULL */
};

#define GRANT_NOTHING                                                                              \
	{                                                                                          \
		.network = -1                                                                      \
	}

/* Known members, absolute paths in their shortest form; at least one thing. */
int grant_get(const json_t *json, struct grant *grant, struct error *err);

/* approval.grant of a document; nothing when there is none. */
int grant_get_of(const json_t *doc, struct grant *grant, struct error *err);
json_t *grant_json(const struct grant *grant);
void grant_free(struct grant *grant);
#define cleanup_grant __attribute__((cleanup(grant_free)))

bool grant_is_nothing(const struct grant *grant);

/* Links are resolved now; if they resolve to something else at the run, it is refused. */
void grant_make_canonical(struct grant *grant);

/* Widens it by another; a path once, and the wider network. */
void grant_add(struct grant *grant, const struct grant *more);

/* It gives at least all of `wanted`, word for word. */
bool grant_includes(const struct grant *grant, const struct grant *wanted);

#endif
