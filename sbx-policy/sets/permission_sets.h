/*
 * What does a permission set say, with everything that it extends?
 */
#ifndef SBX_POLICY_RESOLVE_PERMISSION_SETS_H
#define SBX_POLICY_RESOLVE_PERMISSION_SETS_H

#include "base/error.h"
#include "config/config.h"
#include "policy/permissions.h"
#include "policy/words.h"

/*
 * [permissions.NAME] into set (begun).  An unknown name, a circle or a parent
 * that cannot be extended is an error.
 */
int set_find(const struct config *config, const char *name, struct config *set, struct error *err);

/* The network of a set, or NETWORK_UNSET: nobody outside; *source may stay as it is. */
int set_network(const struct config *set, const char **source);

#endif
