/*
 * What does a resolved policy say, and why?
 *
 * The settings applied to this machine and this workspace.  Every path in it is
 * canonical, except that a carve-out which is a symbolic link is there under
 * its own name as well as under its target's.
 */
#ifndef SBX_POLICY_ENTRIES_POLICY_H
#define SBX_POLICY_ENTRIES_POLICY_H

#include "config/config.h"
#include "config/settings.h"
#include "policy/permissions.h"

#include <stdbool.h>
#include <stddef.h>

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
	struct origin *origins; /* by path_compare() */
	size_t origin_count;
	struct root_list host_sources; /* of each rule of permissions.hosts */
	struct hosts allowed_hosts;    /* of an administrator; beyond them nothing is granted */
	bool hosts_limited;
	struct root_list words; /* sources that were made while resolving */
	const char *network_source, *network_name_source, *sockets_source, *tmp_source;
	struct limits limits;
	const char *limit_sources[LIMIT_COUNT];
	struct config set;          /* the permission set with all that it extends, or empty */
	json_t *deny_globs;         /* of the set, absolute */
	json_t *caches;             /* written without effect on the host; NULL: none */
	bool minimal;               /* the set asks for :minimal */
	bool debug;                 /* processes inside may trace each other */
	bool tmp_private;           /* /tmp inside is not the host's */
	bool loopback_optional;     /* the network is loopback where that is the sandbox's own */
	struct root_list passing;   /* read-only, and gone at any moment: others' temporaries */
	size_t walked;              /* directories that were searched for repositories */
	bool cut;                   /* the search ended before it had seen everything */
	struct root_list cut_roots; /* in these */
};

void policy_free(struct policy *policy);

/* Adds an entry and remembers why; `source` lives as long as the policy. */
void policy_add(struct policy *policy, const char *path, enum access access, const char *source,
                bool named);

/* The entry for exactly this path is for reading only. */
void policy_withdraw(struct policy *policy, const char *path);

/* Why the entry for exactly this path is there; NULL when there is none. */
const struct origin *policy_origin(const struct policy *policy, const char *path);

#endif
