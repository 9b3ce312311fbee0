/*
 * What must be known, made or refused before a sandbox is started?
 */
#ifndef SBX_LINUX_SANDBOX_OUTER_PREPARE_H
#define SBX_LINUX_SANDBOX_OUTER_PREPARE_H

#include "outer/outer_state.h"

int prepare(struct outer *outer, struct error *err);

/* Anew for each attempt: the files may have changed since the last one. */
int plan_mounts(struct outer *outer, bool no_proc, struct error *err);

#endif
