/*
 * Carve-outs: what stays read-only although it lies in a writable root.
 */
#ifndef SBX_POLICY_RESOLVE_CARVE_OUTS_H
#define SBX_POLICY_RESOLVE_CARVE_OUTS_H

#include "base/error.h"
#include "fs/followed_path.h"
#include "resolve/policy.h"

#include <stdbool.h>

/*
 * Makes path (whose directory is canonical) read-only, existing or missing,
 * with every link that it leads through and what it leads to.  Nothing that
 * is not writable is touched, so a carve-out never widens.
 */
int protect_path(struct policy *policy, const char *path, const char *source, struct error *err);

/* The same of what path leads to from base; the caller frees the trail, also of a failure. */
int protect_trail(struct policy *policy, struct trail *trail, const char *base, const char *path,
                  const char *source, struct error *err);

/* As above for a repository's `.git`, with the directories it points to. */
int protect_git(struct policy *policy, const char *path, const char *source, struct error *err);

/*
 * As above for a repository below a root.  What cannot be resolved is noted
 * and not an error: a sandboxed program could have left it there, to stop
 * every later run.
 */
void protect_found(struct policy *policy, const char *path, const char *source);

/* As above for the directory of another version control: what runs programs later. */
void protect_other(struct policy *policy, const char *path);

/*
 * As above for a root that is itself a bare repository, and that nobody named:
 * what --allow git keeps, and no more, or nothing could be done in it.
 */
void protect_bare(struct policy *policy, const char *root);

/*
 * Something that names a repository, or could hold one, was not read.  Where
 * that says nothing about the thing itself, the policy must not be used: the
 * errno is kept in policy->failed.
 */
void protect_missed(struct policy *policy, int number);

/*
 * The names that configure us or an agent in the directory of a project which
 * lies below a root, existing or missing.  What cannot be resolved is noted.
 */
void protect_project(struct policy *policy, const char *directory, const char *source);

/* The same for every project that the user trusts, where it lies in one of the roots. */
void protect_trusted(struct policy *policy, const struct root_list *roots);

/* The protected names directly under a writable root. */
int protect_names(struct policy *policy, const char *root, enum place place, struct error *err);

/* What is kept of a home directory that lies in one of the roots, or around it. */
void protect_homes(struct policy *policy, const struct root_list *roots);

/* True when path itself belongs to this user. */
bool is_own(const char *path);

/* What a sandboxed program must never replace: the suite itself, its settings. */
int protect_own(struct policy *policy, struct error *err);

/* True when path is, or lies in, something called `.git`. */
bool inside_git(const char *path);

#endif
