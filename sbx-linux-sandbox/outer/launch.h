/*
 * In which way does the sandbox come up here?
 */
#ifndef SBX_LINUX_SANDBOX_OUTER_LAUNCH_H
#define SBX_LINUX_SANDBOX_OUTER_LAUNCH_H

#include "outer/outer_state.h"

/* One way after the other, until the inner stage has been instructed. */
int launch(struct outer *outer, struct error *err);

#endif
