/*
 * What must be known, made or refused before a sandbox is started?
 */
#ifndef SBX_LINUX_SANDBOX_OUTER_PREPARE_H
#define SBX_LINUX_SANDBOX_OUTER_PREPARE_H

#include "outer/outer_state.h"

int prepare(struct outer *outer, struct error *err);

/* There is no network to be made: what the sandbox around us has is left as it is. */
void network_is_held(struct request *request);

/* Anew for each attempt: the files may have changed since the last one. */
int plan_mounts(struct outer *outer, bool no_proc, struct error *err);

#endif
