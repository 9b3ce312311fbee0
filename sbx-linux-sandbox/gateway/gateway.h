/*
 * Who connects the command to the hosts of its list?
 *
 * The gateway, a process of its own beside the outer stage: it resolves names
 * and relays connections.  It reads what the command and the internet send, so
 * it has no files, no way to other processes, and a limit on everything; when
 * it dies, the run ends.
 */
#ifndef SBX_LINUX_SANDBOX_GATEWAY_GATEWAY_H
#define SBX_LINUX_SANDBOX_GATEWAY_GATEWAY_H

#include "base/error.h"
#include "gateway/words.h"
#include "hosts/hosts.h"

#include <sys/types.h>

struct gateway_plan {
	struct hosts *hosts; /* what is decided during the run is added in the gateway alone */
	bool check_names;    /* of TLS servers */
	bool ask;            /* somebody decides about what is not listed */
	bool hold;           /* and the command stands still meanwhile */
};

/* For the network of the process inside.  *line is ours. */
int gateway_start(const struct gateway_plan *plan, pid_t inside, int *line, struct error *err);

/* -1 with errno: it is gone, or has too much to do. */
int gateway_give_listener(int line, int listener);
int gateway_connect(int line, const struct gateway_request *request, int client);

/* A signal came for the caller, who sleeps until it is answered. */
int gateway_interrupted(int line, uint64_t id);

/* The answer to an EVENT_ASK. */
int gateway_decided(int line, const char *host, unsigned port, bool allowed);

/* Asks for EVENT_REACHED, until EVENT_CONCLUDED. */
int gateway_conclude(int line);

/* 1: a word; 0: it is gone; -1 with errno: none yet. */
int gateway_hear(int line, struct gateway_word *word);

#endif
