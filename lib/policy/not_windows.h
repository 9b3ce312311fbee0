/*
 * What can a restricted token of Windows not hold?
 */
#ifndef SBX_POLICY_NOT_WINDOWS_H
#define SBX_POLICY_NOT_WINDOWS_H

#include "policy/words.h"

#include <jansson.h>
#include <stdbool.h>

/* [windows] sandbox names a level, or the older feature is true: nothing else switches it on. */
bool windows_is_on(const json_t *policy);

/* sandbox.lost for a policy with this network. */
json_t *windows_lost(enum network network);

#endif
