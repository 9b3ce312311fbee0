/*
 * How does a connection of the command get to a host outside?
 *
 * The far end is connected first, so that the command learns what became of
 * it.  Then the command's own socket is connected to one of ours, inside, at the
 * address that it wanted: no socket of the host's network is ever in there.
 */
#ifndef SBX_LINUX_SANDBOX_RELAY_CONNECTIONS_H
#define SBX_LINUX_SANDBOX_RELAY_CONNECTIONS_H

#include "relay/connection.h"

/* Takes the socket of the command. */
void connections_open(struct connections *all, const struct gateway_request *request, int client);

/* Those that wait for this go on, or are refused. */
void connections_decided(struct connections *all, const char *host, unsigned port, bool allowed);

/* The caller of this one has a signal to look at, and goes on as one that does not wait. */
void connections_interrupted(struct connections *all, uint64_t id);

/* Those that have waited long enough; ms until the next one, -1: none. */
int connections_tick(struct connections *all, long long now);

#endif
