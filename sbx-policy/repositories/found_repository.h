/*
 * What is protected of a repository, once it is found?
 */
#ifndef SBX_POLICY_REPOSITORIES_FOUND_REPOSITORY_H
#define SBX_POLICY_REPOSITORIES_FOUND_REPOSITORY_H

#include "base/error.h"
#include "entries/workbench.h"

/* protect_path() of a `.git`, with the directories it points to. */
int protect_git(struct workbench *bench, const char *path, const char *source, struct error *err);

/* The same of one below a root, with its neighbours.  What cannot be resolved is noted. */
void protect_found(struct workbench *bench, const char *path, const char *source);

/* As above for the directory of another version control: what runs programs later. */
void protect_other(struct workbench *bench, const char *path);

/*
 * As above for a root that is itself a bare repository, and that nobody named:
 * what --allow git keeps, and no more, or nothing could be done in it.
 */
void protect_bare(struct workbench *bench, const char *root);

#endif
