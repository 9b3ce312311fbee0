/*
 * What is done about a protected name that was replaced?
 *
 * Between the replacement and the end of the command it may have made the name
 * itself, so whatever has the name now is put aside, whoever made it, and a
 * file or a link is what it was when the run began.
 */
#ifndef SBX_LINUX_SANDBOX_KEPT_HELD_RESTORE_H
#define SBX_LINUX_SANDBOX_KEPT_HELD_RESTORE_H

#include "kept/held.h"

/* To be called when no process of the run is left; tells of everything that it does. */
void held_restore(const struct held *held);

#endif
