/*
 * How is a socket of the command connected on its behalf?
 *
 * No filter can see an address, and one that we only looked at could be
 * another by the time the kernel uses it.  So the observer connects the
 * command's own socket itself, with its own copy of the address.
 */
#ifndef SBX_LINUX_SANDBOX_NETWORK_CONNECT_FOR_H
#define SBX_LINUX_SANDBOX_NETWORK_CONNECT_FOR_H

#include "filter/filter_rule.h"
#include "network/listed_sockets.h"
#include "policy/permissions.h"
#include "process/descendants.h"

#include <limits.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <sys/socket.h>

struct connection {
	const struct permissions *permissions;
	const struct listed_sockets *listed;
	enum net net;
	bool own_network;        /* the sandbox has a network namespace to itself */
	bool own_processes;      /* and a process namespace */
	const struct tree *tree; /* what we started, where it has not */
	int sockets;             /* asks which sockets there are; -1: cannot */
	int gateway;             /* see gateway.h; -1: there is none */
	int listener;            /* of the observer, to ask whether the caller still waits */
	struct seccomp_notif request;
	/* Filled: */
	int family;    /* of the socket; -1: not a socket */
	int type;      /* SOCK_STREAM, ... */
	socklen_t len; /* of the address; 0: there is none */
	struct sockaddr_storage address;
	const char *program; /* who asks; NULL: unknown */
	char path[PATH_MAX]; /* of a unix socket, canonical; "" when it has none */
	bool refused;        /* by the policy, not by what is at the other end */
	bool waits;          /* LATER: the caller sleeps until it is connected */
	size_t sent;         /* by connection_send() */
	bool go_on; /* the caller connects by itself: nothing it could reach is kept from it */
};

/* 0, or the errno that the command gets unless it is to go on; LATER: the gateway answers. */
#define CONNECTION_LATER (-1)
int connection_make(struct connection *connection);

/* After LATER: until it is answered, the gateway learns of signals that wake the caller. */
void connection_watch(const struct connection *connection);

/*
 * Puts what sendto() or sendmsg() has into the mailbox at its address: see mailboxes.h.
 * 0: `sent`; or the errno.
 */
int connection_send(struct connection *connection);

/* The socket's family and a copy of the address argument; zeros when that cannot be had. */
void connection_look(struct connection *connection, int address, int length);

/* The first argument of the call is a socket of another network than the sandbox's own. */
bool is_foreign_socket(const struct connection *connection);

/* The first argument of the call, a socket of the caller's; -1 with errno. */
int socket_of(int listener, const struct seccomp_notif *request);

#endif
