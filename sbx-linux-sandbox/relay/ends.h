/*
 * How do the two ends of an allowed connection come to be?
 */
#ifndef SBX_LINUX_SANDBOX_RELAY_ENDS_H
#define SBX_LINUX_SANDBOX_RELAY_ENDS_H

#include "relay/connection.h"

#include <limits.h>

/* The far end first, after its name was looked up where it has no address yet. */
void ends_begin(struct connection *c);

/* The caller waits for it. */
#define FOR_EVER LLONG_MAX

/* The near one although the far one is not there: the caller goes on. */
void ends_begin_near(struct connection *c);

#endif
