/*
 * Does the policy insist on a loopback of the sandbox's own, or will none do?
 *
 * "No network" means nobody outside.  Where the sandbox has a network namespace,
 * servers of the command's own work in it; elsewhere 127.0.0.1 is the host's, and
 * what nobody asked for by name is off.
 */
#ifndef SBX_POLICY_OWN_LOOPBACK_H
#define SBX_POLICY_OWN_LOOPBACK_H

#include "policy/words.h"

#include <jansson.h>
#include <stdbool.h>

/* A resolved policy has a loopback only because nobody said anything else. */
bool loopback_is_optional(const json_t *policy);

/* The network of a policy where the only loopback is the host's. */
enum network network_without_own(const json_t *policy, enum network network);

/* The policy for such a sandbox.  A new reference. */
json_t *without_own_loopback(json_t *policy);

#endif
