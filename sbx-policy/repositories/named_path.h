/*
 * Which path does a value of git's settings mean, and how is it protected?
 */
#ifndef SBX_POLICY_REPOSITORIES_NAMED_PATH_H
#define SBX_POLICY_REPOSITORIES_NAMED_PATH_H

#include "entries/workbench.h"
#include "fs/followed_path.h"
#include "repositories/git_keys.h"

#include <stdbool.h>

/* False, and the policy is cut, when enough was looked at. */
bool named_may_look(struct workbench *bench);

/* protect_trail() at a cost that is counted.  -1: it leads nowhere. */
int named_protect(struct workbench *bench, const char *base, const char *path, const char *source,
                  struct trail *trail);

/* The words for an entry that a setting is the reason of. */
const char *named_source(struct workbench *bench, const struct git_key *key);

/* The path that a word is, to be freed; NULL: one that is not known. */
char *named_expand(const char *word, const char *top);

/* The directory that is there, to be freed, or NULL. */
char *named_directory(const char *base, const char *path);

#endif
