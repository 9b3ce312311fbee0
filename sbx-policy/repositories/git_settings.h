/*
 * Which settings does git read here, of those that name something?
 *
 * The files themselves are protected on the way, wherever their includes lead.
 */
#ifndef SBX_POLICY_REPOSITORIES_GIT_SETTINGS_H
#define SBX_POLICY_REPOSITORIES_GIT_SETTINGS_H

#include "base/strings.h"
#include "entries/workbench.h"
#include "repositories/git_keys.h"

#include <stdbool.h>
#include <stddef.h>

struct git_setting {
	const struct git_key *key;
	char *value;
};

struct git_settings {
	struct git_setting *items;
	size_t count;
	char *top;               /* the last core.worktree */
	bool has_own;            /* extensions.worktreeConfig */
	bool folds;              /* core.ignoreCase */
	struct strings excludes; /* each core.excludesFile */
	size_t files;            /* that were read */
	unsigned depth;          /* of includes */
	const char *dir;         /* of the file that is being read */
	struct workbench *bench;
};

/* Adds those of a file, in which others may be included. */
void git_settings_read(struct git_settings *found, const char *directory, const char *name);

/* Adds those of the user and of the machine. */
void git_settings_read_global(struct git_settings *global);

void git_settings_free(struct git_settings *found);

#endif
