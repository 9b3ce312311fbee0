/*
 * Could a sandbox of this policy have written a file that is to be believed?
 */
#ifndef SBX_APPROVE_RULES_WRITTEN_BY_COMMAND_H
#define SBX_APPROVE_RULES_WRITTEN_BY_COMMAND_H

#include "policy/permissions.h"

#include <jansson.h>
#include <stdbool.h>

/* permissions are those of the policy, path is normal. */
bool within_reach(const json_t *policy, const struct permissions *permissions, const char *path);

#endif
