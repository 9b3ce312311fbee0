/*
 * Does the helper itself run a command here?  What a look at the machine
 * promises may still fail: by a mount, a limit, a call that an old kernel lacks.
 */
#ifndef SBX_SELECT_TRIAL_H
#define SBX_SELECT_TRIAL_H

#include "base/error.h"
#include "machine.h"

/*
 * Runs it once, with a directory made and removed for that as the workspace.
 * err says what the helper said.
 */
int trial_run(const struct machine *machine, const char *backend, struct error *err);

#endif
