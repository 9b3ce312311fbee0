/*
 * A resolved policy: the settings applied to this machine and this workspace.
 *
 * Every path in it is canonical, except that a carve-out which is a symbolic
 * link is there under its own name as well as under its target's.
 */
#ifndef SBX_POLICY_RESOLVE_POLICY_H
#define SBX_POLICY_RESOLVE_POLICY_H

#include "base/error.h"
#include "base/warnings.h"
#include "config/config.h"
#include "config/settings.h"
#include "git/repository.h"
#include "policy/permissions.h"
#include "policy/words.h"
#include "repositories/named_by_git.h"

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

/* A path that waits for the end of the entries to be judged. */
struct later {
	char *path;
	const char *source;
};

struct later_list {
	struct later *items;
	size_t count;
};

struct policy {
	const struct settings *settings;
	char *workspace;
	struct root_list workspaces; /* the workspace, and what was added to it */
	struct permissions permissions;
	struct config set;      /* the permission set with all that it extends, or empty */
	json_t *deny_globs;     /* of the set, absolute */
	bool minimal;           /* the set asks for :minimal */
	const char *tmpdir;     /* why $TMPDIR is to be writable; NULL: it is not */
	bool tmp_private;       /* /tmp inside is not the host's */
	char *private_tmp;      /* then, where the sandbox has that: its path */
	struct origin *origins; /* by path_compare() */
	size_t origin_count;
	struct later_list missing; /* writable, but not there */
	struct later_list pins;    /* links and missing names on the way to what is protected */
	struct root_list bare;     /* roots that no repository is ever in: files, devices */
	struct root_list words;    /* sources that were made here */
	struct root_list passing;  /* read-only, and gone at any moment: others' temporaries */
	struct notes notes;
	size_t walked;                 /* directories that were searched for repositories */
	bool cut;                      /* the search ended before it had seen everything */
	struct root_list cut_roots;    /* in these */
	struct configured *configured; /* see named_by_git.h */
	int failed;                    /* errno of a look that failed by a fault of ours */
};

/* Fills policy; `workspace` is canonical. */
int policy_resolve(struct policy *policy, const struct settings *settings,
                   const struct repository *repository, const char *workspace, struct error *err);
void policy_free(struct policy *policy);

/* Adds an entry and remembers why. */
void policy_add(struct policy *policy, const char *path, enum access access, const char *source,
                bool named);

/* A write entry that does not exist: it counts only where it could be created. */
void policy_missing(struct policy *policy, const char *path, const char *source);

/* A link, or nothing yet, on the way to what is named: it must stay as it is. */
void policy_pin(struct policy *policy, const char *path, const char *source);

/*
 * The same for every link on the way to a root: a command that could turn one
 * would choose what the next run can write.
 */
void policy_pin_links(struct policy *policy, const char *path, const char *source);

/* A copy of a source that lives as long as the policy. */
const char *policy_word(struct policy *policy, const char *word);

/* Makes the workspace writable, unless it is a place that only a person may name. */
int grant_workspace(struct policy *policy, struct error *err);

/* Why the entry for exactly this path is there; NULL when there is none. */
const struct origin *policy_origin(const struct policy *policy, const char *path);

/* True when what path means inside is not the host's: then there is nothing to protect. */
bool policy_is_private(const struct policy *policy, const char *path);

/* The network that results from the mode, the set and the settings, and its source. */
enum network policy_network(const struct policy *policy, const char **source);

#endif
