/*
 * What does the process of a client say to the proxy?
 */
#ifndef SBX_SEATBELT_PROXY_WORDS_H
#define SBX_SEATBELT_PROXY_WORDS_H

#include "hosts/host_rule.h"

enum proxy_event {
	PROXY_NOTHING,    /* worth telling */
	PROXY_REACHED,    /* and what went each way */
	PROXY_REFUSED,    /* not listed */
	PROXY_INTERNAL,   /* leads to `other`, which is not public */
	PROXY_OTHER_NAME, /* TLS to `host` named `other` */
};

struct proxy_word {
	enum proxy_event event;
	unsigned port;
	char host[HOST_NAME_MAX_LENGTH + 1];
	char other[HOST_NAME_MAX_LENGTH + 1];
	uint64_t sent, received;
	bool hidden; /* TLS that may have hidden a second name */
};

#endif
