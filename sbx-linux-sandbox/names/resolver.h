/*
 * What do programs inside get to know about names?
 *
 * Names that are not in the list do not exist, and nobody outside hears of
 * them: a name is a message, too.  Where somebody can be asked, they have an
 * address that nobody outside has given, and are asked about when it is used.
 */
#ifndef SBX_LINUX_SANDBOX_NAMES_RESOLVER_H
#define SBX_LINUX_SANDBOX_NAMES_RESOLVER_H

#include "gateway/asked.h"
#include "names/synthetic.h"
#include "gateway/tell.h"
#include "names/upstream.h"
#include "hosts/hosts.h"

#define RESOLVER_SOCKETS 4   /* UDP and TCP on two addresses */
#define RESOLVER_CLIENTS 64  /* by TCP, at a time */
#define RESOLVER_PENDING 512 /* queries that wait for upstream */
#define RESOLVER_RECENT  32  /* names that are not listed, of which other forms may follow */

struct resolver;

struct resolver_client {
	struct source source; /* fd -1: free */
	struct resolver *resolver;
	uint8_t bytes[2 + DNS_QUERY_MAX];
	size_t got;
	bool waits; /* for upstream: one query at a time */
};

struct resolver_query {
	struct resolver *resolver;
	bool used;
	int udp;                        /* to answer on; -1: */
	struct resolver_client *client; /* to answer; NULL: gone */
	struct sockaddr_storage from;
	socklen_t from_len;
	uint8_t bytes[DNS_REPLY_MAX]; /* as far as its question goes */
	struct dns_query query;
};

struct resolver {
	struct loop *loop;
	const struct hosts *hosts;
	const struct put_on_loopback *put;
	const struct name_servers *servers;
	struct upstream *upstream;
	struct synthetics *synthetics;
	struct asked *asked;
	struct tell *tell;
	bool six; /* there are IPv6 addresses inside */
	char recent[RESOLVER_RECENT][HOST_NAME_MAX_LENGTH + 1];
	size_t next_recent;
	struct resolver_socket {
		struct source source;
		struct resolver *resolver;
	} udp[RESOLVER_SOCKETS], tcp[RESOLVER_SOCKETS];
	struct resolver_client clients[RESOLVER_CLIENTS];
	struct resolver_query queries[RESOLVER_PENDING];
};

/* The other members are there; takes a bound socket, of either type.  -1 with errno. */
int resolver_serve(struct resolver *resolver, int fd, bool udp);
void resolver_begin(struct resolver *resolver);

#endif
