/*
 * Must go be told that there is no repository?
 *
 * Where a workspace has no .git, an empty directory stands for it while the
 * command runs.  git knows that it is nothing; go takes the name for a
 * repository, asks git about it, and ends with its error.
 */
#ifndef SBX_WRAP_GO_STAMP_H
#define SBX_WRAP_GO_STAMP_H

#include "wrap.h"

/* GOFLAGS, for a module of Go that is in no repository. */
void go_stamp_apply(char ***env, const struct wrap *wrap);

#endif
