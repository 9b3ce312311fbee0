/*
 * What do programs that run beside the sandbox have in its writable roots?
 *
 * Who can replace the socket of an agent is given the keys that are meant for
 * it; who can replace that of a terminal multiplexer, a display or an editor
 * gets its clients, and some of these run what they are told to.
 */
#ifndef SBX_POLICY_RESOLVE_BYSTANDERS_H
#define SBX_POLICY_RESOLVE_BYSTANDERS_H

#include "entries/workbench.h"

/*
 * Makes read-only what the variables of this environment name, in any root,
 * there or not; and where the host's /tmp is writable: every socket in it,
 * every directory with a socket in it, and, unless a person named /tmp, what
 * else was in it before the run.
 */
void protect_bystanders(struct workbench *bench);

#endif
