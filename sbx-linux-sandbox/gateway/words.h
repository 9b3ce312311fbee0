/*
 * What do the outer stage and the gateway say to each other?
 *
 * Whole messages on a socket pair; the gateway's are about what it did not let
 * through or is to be decided, and at the end about what it did.
 */
#ifndef SBX_LINUX_SANDBOX_GATEWAY_WORDS_H
#define SBX_LINUX_SANDBOX_GATEWAY_WORDS_H

#include "hosts/host_rule.h"

#include <stdint.h>
#include <sys/socket.h>

#define GATEWAY_PROGRAM 256

enum gateway_order {
	ORDER_LISTENER = 1, /* with the fd on which the kernel waits for answers */
	ORDER_CONNECT,      /* with a socket of the command */
	ORDER_DECIDED,      /* somebody said what an EVENT_ASK asked for */
	ORDER_INTERRUPTED,  /* a signal wants the one whose call waits */
	ORDER_CONCLUDE,     /* say what was reached */
};

/* To the gateway. */
struct gateway_request {
	int32_t order;
	uint64_t id; /* of the call that waits */
	uint32_t len;
	struct sockaddr_storage address;
	char program[GATEWAY_PROGRAM]; /* who asks; "": unknown */
	/* Decided: */
	char host[HOST_NAME_MAX_LENGTH + 1];
	uint32_t port;
	int32_t allowed;
};

enum gateway_event {
	EVENT_UNKNOWN = 1, /* a name that is not listed was looked up */
	EVENT_ASK,         /* a connection to what is not listed waits to be decided about */
	EVENT_REFUSED,     /* a connection to what is not listed */
	EVENT_INTERNAL,    /* a name leads to `address`, which is not public */
	EVENT_OTHER_NAME,  /* TLS to `host` named `other` */
	EVENT_REACHED,     /* the sums for one host and port */
	EVENT_CONCLUDED,
};

/* From the gateway. */
struct gateway_word {
	int32_t event;
	uint32_t port;
	char host[HOST_NAME_MAX_LENGTH + 1]; /* a name or an address, as the list has it */
	char other[HOST_NAME_MAX_LENGTH + 1];
	char program[GATEWAY_PROGRAM];
	uint64_t connections, sent, received;
	uint32_t hidden; /* TLS that may have hidden a second name was among them */
};

#endif
