/*
 * Which server does the command name, once both ends are there?
 *
 * If it is the one that was allowed, or none, the bytes move.
 */
#ifndef SBX_LINUX_SANDBOX_RELAY_FIRST_BYTES_H
#define SBX_LINUX_SANDBOX_RELAY_FIRST_BYTES_H

#include "relay/connection.h"

void first_bytes_look(struct connection *c);

#endif
