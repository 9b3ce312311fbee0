/*
 * What does the gateway report?
 */
#ifndef SBX_LINUX_SANDBOX_GATEWAY_TELL_H
#define SBX_LINUX_SANDBOX_GATEWAY_TELL_H

#include "gateway/words.h"

/* Hosts with ports, each with its sums; the rest is counted under "...". */
#define REACHED_MAX 1000

struct reached {
	char host[HOST_NAME_MAX_LENGTH + 1];
	unsigned port;
	uint64_t connections, sent, received;
	bool hidden; /* a name that was not seen */
};

struct tell {
	int line;
	struct reached *reached;
	size_t count;
};

/* What cannot be said at once is lost: nobody waits for a reader. */
void tell_unknown(const struct tell *tell, const char *name);
void tell_internal(const struct tell *tell, const char *name, const struct host_address *address);
/* False: nobody heard it. */
bool tell_ask(const struct tell *tell, const char *host, unsigned port, const char *program);
void tell_refused(const struct tell *tell, const char *host, unsigned port, const char *program);
void tell_name(const struct tell *tell, const char *host, unsigned port, const char *other);

/* The sums of a host and port, for somebody to add to; lives to the end. */
struct reached *reached_at(struct tell *tell, const char *host, unsigned port);

/* All of them; waits for the reader. */
void tell_reached(const struct tell *tell);

#endif
