/*
 * What is known of a connection on its way, and how does it end?
 */
#ifndef SBX_LINUX_SANDBOX_RELAY_CONNECTION_H
#define SBX_LINUX_SANDBOX_RELAY_CONNECTION_H

#include "gateway/asked.h"
#include "gateway/tell.h"
#include "names/synthetic.h"
#include "names/upstream.h"
#include "hosts/hosts.h"
#include "hosts/own_address.h"
#include "relay/relay.h"

struct connection;

/* All of them. */
struct connections {
	struct loop *loop;
	const struct hosts *hosts;
	const struct put_on_loopback *put;
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

/* What was read and has not gone on yet. */
struct held {
	uint8_t *bytes;
	size_t len;
};

enum stage {
	ASKED,     /* somebody decides about the host */
	LOOKED_UP, /* its name has been allowed, and has no address yet */
	FAR,       /* the far end is being connected */
	NEAR,      /* the command's socket is */
	NAMING,    /* both are; the first bytes are looked at */
	MOVING,
};

struct connection {
	struct relay relay; /* first: it is what closed() gets */
	struct connections *all;
	struct connection *next, **link;
	struct buried grave;
	enum stage stage;
	struct source far, near; /* near: a listener, then what it accepted */
	int client;              /* the command's own socket, until it is connected */
	uint64_t id;
	bool answered, far_done, near_done, waits_not;
	bool local;         /* to this machine itself, by the loopback's address */
	bool own;           /* by another of its addresses */
	long long deadline; /* ms; of the far end: when a caller goes on without it */
	int meanwhile;      /* the errno that one gets then */
	char host[HOST_NAME_MAX_LENGTH + 1]; /* as reports have it */
	char name[HOST_NAME_MAX_LENGTH + 1]; /* that was asked for; "": an address */
	struct host_address real, inside;
	struct dns_answer *found; /* more addresses to try, of a name that was asked about */
	size_t tried;
	unsigned port;
	struct reached *reached;
	struct held hello, reply; /* the first bytes of the client, and of the server */
	bool again;               /* the server wants the client's first message once more */
};

/* The command learns what became of its call, once. */
void connection_answer(struct connection *c, int error);

/* Answered with the error; what is connected is reset. */
void connection_fail(struct connection *c, int error);
void connection_drop(struct connection *c);

#endif
