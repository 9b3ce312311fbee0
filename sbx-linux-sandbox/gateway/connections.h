/*
 * How does a connection of the command get to a host outside?
 *
 * The far end is connected first, so that the command learns what became of
 * it.  Then the command's own socket is connected to one of ours, inside, at the
 * address that it wanted: no socket of the host's network is ever in there.
 */
#ifndef SBX_LINUX_SANDBOX_GATEWAY_CONNECTIONS_H
#define SBX_LINUX_SANDBOX_GATEWAY_CONNECTIONS_H

#include "gateway/asked.h"
#include "gateway/relay.h"
#include "gateway/server_name.h"
#include "gateway/synthetic.h"
#include "gateway/tell.h"
#include "gateway/upstream.h"
#include "policy/hosts.h"

struct connection;

struct connections {
	struct loop *loop;
	const struct hosts *hosts;
	struct synthetics *synthetics;
	struct upstream *upstream;
	struct asked *asked;
	struct tell *tell;
	int maker;         /* gives sockets of the network inside */
	int listener;      /* of the kernel, which waits for answers; -1: not yet */
	bool check_names;  /* of TLS servers */
	size_t count, max; /* at a time */
	size_t waiting;    /* of them, those that are not connected yet */
	struct connection *first;
};

/* Takes the socket of the command. */
void connections_open(struct connections *all, const struct gateway_request *request, int client);

/* Those that wait for this go on, or are refused. */
void connections_decided(struct connections *all, const char *host, unsigned port, bool allowed);

/* Those that have waited long enough; ms until the next one, -1: none. */
int connections_tick(struct connections *all, long long now);

#endif
