/*
 * Carve-outs: how does a path stay read-only although it lies in a writable root?
 */
#ifndef SBX_POLICY_ENTRIES_CARVE_OUTS_H
#define SBX_POLICY_ENTRIES_CARVE_OUTS_H

#include "base/error.h"
#include "entries/workbench.h"
#include "fs/followed_path.h"

#include <stdbool.h>

/* This path alone.  What is not writable is not touched: a carve-out never widens. */
void make_read_only(struct workbench *bench, const char *path, const char *source);

/*
 * Makes path (whose directory is canonical) read-only, existing or missing,
 * with every link that it leads through and what it leads to.
 */
int protect_path(struct workbench *bench, const char *path, const char *source, struct error *err);

/* The same of what path leads to from base; the caller frees the trail, also of a failure. */
int protect_trail(struct workbench *bench, struct trail *trail, const char *base, const char *path,
                  const char *source, struct error *err);

/*
 * What cannot be resolved below a root is noted and not an error: a sandboxed
 * program could have left it there, to stop every later run.
 */
void protected_less(struct workbench *bench, const struct error *why);

/*
 * The names that configure us or an agent in the directory of a project which
 * lies below a root, existing or missing.  What cannot be resolved is noted.
 */
void protect_project(struct workbench *bench, const char *directory, const char *source);

/* True when path itself belongs to this user. */
bool is_own(const char *path);

#endif
