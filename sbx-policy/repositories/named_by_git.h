/*
 * What does git's configuration name that runs later, and lies in a writable root?
 *
 * A repository whose own files cannot be written still names others: the hooks
 * of husky, an included file, the program of a filter.  Those lie in the work
 * tree, and what is written to them runs on the host with the next commit, or
 * the next look.  So they are read-only as well, existing or missing.
 */
#ifndef SBX_POLICY_REPOSITORIES_NAMED_BY_GIT_H
#define SBX_POLICY_REPOSITORIES_NAMED_BY_GIT_H

#include "entries/workbench.h"

/*
 * `gitdir` is a repository's own directory and `top` where its files are, both
 * canonical; a bare one has no other.  What cannot be resolved is passed over.
 */
void protect_configured(struct workbench *bench, const char *gitdir, const char *top);

/* What the settings of the user and of the machine name for every repository. */
void protect_configured_globally(struct workbench *bench);

#endif
