/*
 * Which bubblewrap runs, and with which arguments?
 */
#ifndef SBX_LINUX_SANDBOX_OUTER_BUBBLEWRAP_H
#define SBX_LINUX_SANDBOX_OUTER_BUBBLEWRAP_H

#include "base/error.h"
#include "linux/which_bwrap.h"
#include "mounts/mounts.h"
#include "request.h"
#include "vendored/fast_bind.h"

#include <stdbool.h>

/*
 * The system's bubblewrap is preferred when it is trustworthy and current; an
 * older one is used on request, and where the vendored one may not make
 * namespaces (`fallback`: AppArmor lets only the system's).
 */
int bwrap_choose(const struct request *request, bool fallback, struct bwrap *bwrap,
                 struct error *err);

/*
 * bubblewrap's arguments as a NUL-terminated vector, ending with the inner
 * stage.  Sources are named by fd where bubblewrap can, and by path else; the
 * inner stage compares identities in both cases.
 */
char **bwrap_args(const struct bwrap *bwrap, const struct request *request,
                  const struct mounts *mounts, const char *inner, int control, int plan, int empty);

/* Becomes bubblewrap; returns only on failure. */
void bwrap_exec(const struct bwrap *bwrap, char **args);

#endif
