/*
 * --hide: what cannot be read, although the mode or the set would show it?
 */
#ifndef SBX_POLICY_RESOLVE_HIDDEN_PATHS_H
#define SBX_POLICY_RESOLVE_HIDDEN_PATHS_H

#include "base/error.h"
#include "entries/workbench.h"

/* A path or pattern each, relative to the workspace or absolute; or a preset: "secrets",
 * "gitignored". */
int hide_paths(struct workbench *bench, struct error *err);

/* A file that is hidden by its name, whatever hid it, may have another. */
void say_other_names(const struct permissions *permissions, struct notes *notes);

#endif
