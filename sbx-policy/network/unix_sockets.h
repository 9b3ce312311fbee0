/*
 * unix_sockets: which sockets outside of the writable roots may be connected to?
 */
#ifndef SBX_POLICY_RESOLVE_UNIX_SOCKETS_H
#define SBX_POLICY_RESOLVE_UNIX_SOCKETS_H

#include "entries/policy.h"

/* From the set, or for workspace-write from its table, with the source of the list. */
int sockets_resolve(struct policy *policy, struct error *err);

/* When the roots are known: none may be reached through a link that the command can turn. */
int sockets_check(const struct policy *policy, struct error *err);

#endif
