/*
 * What can a restricted token of Windows not hold?
 */
#ifndef SBX_WINDOWS_LOST_H
#define SBX_WINDOWS_LOST_H

#include "permissions.h"

#include <jansson.h>

/* sandbox.lost for a policy with this network. */
json_t *windows_lost(enum network network);

#endif
