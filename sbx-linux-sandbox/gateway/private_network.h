/*
 * How does the gateway get sockets of the network inside?
 *
 * A process of its own enters that network, which belongs to a user namespace
 * that is ours by birth, and hands out what it makes there.
 */
#ifndef SBX_LINUX_SANDBOX_GATEWAY_PRIVATE_NETWORK_H
#define SBX_LINUX_SANDBOX_GATEWAY_PRIVATE_NETWORK_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

#define INSIDE_RESOLVERS 4

struct private_network {
	int maker;
	int udp[INSIDE_RESOLVERS], tcp[INSIDE_RESOLVERS]; /* port 53; -1: none */
	bool six;                                         /* there are addresses of IPv6 */
};

/* Of the process inside. */
int private_network_enter(pid_t inside, struct private_network *network, struct error *err);

/* A stream socket of the family; -1 with errno.  Without its maker the gateway ends. */
int make_inside(int maker, int family);

#endif
