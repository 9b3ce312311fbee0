/*
 * Which hosts may the command reach, by all that lists some?
 *
 * The options, the mode's or the set's list, the user's own list for this
 * project; less what the administrator does not allow.
 */
#ifndef SBX_POLICY_RESOLVE_ALLOWED_HOSTS_H
#define SBX_POLICY_RESOLVE_ALLOWED_HOSTS_H

#include "base/error.h"
#include "entries/policy.h"
#include "git/repository.h"

/* NETWORK_HOSTS when a list of workspace-write or of the project is there; else NETWORK_OFF. */
enum network hosts_are_configured(const struct policy *policy, const char **source);

/* By an option: --allow-host, or --allow net:NAME, also in the set. */
bool hosts_are_asked_for(const struct policy *policy, const char **source);

/* Into permissions.hosts, once the network is known; may narrow the network. */
int hosts_resolve(struct policy *policy, const struct repository *repository, struct error *err);

#endif
