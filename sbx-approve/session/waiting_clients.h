/*
 * Which clients of the session wait for an approver at the end of a connection?
 *
 * Their questions are open side by side, and a client is known by its fd.
 */
#ifndef SBX_APPROVE_SESSION_WAITING_CLIENTS_H
#define SBX_APPROVE_SESSION_WAITING_CLIENTS_H

#include "connection/approver.h"

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

struct waiting_client {
	int fd;
	char *id; /* of its question */
	int64_t due;
};

struct waiting_clients {
	struct approver *approver;
	char *prefix;
	struct waiting_client *items;
	size_t count;
	char *broken; /* why nobody will answer what is open, or NULL */
};

void waiting_begin(struct waiting_clients *waiting, struct approver *approver);
void waiting_end(struct waiting_clients *waiting);

/* Puts a client's question; -1 with err: it cannot be asked. */
int waiting_add(struct waiting_clients *waiting, int client, const json_t *message, int limit_ms,
                struct error *err);

/* The client is gone, and its question void. */
void waiting_drop(struct waiting_clients *waiting, int client);

/* What to poll for, and how long at most; -1: for ever. */
struct pollfd waiting_poll(const struct waiting_clients *waiting);
int waiting_ms(const struct waiting_clients *waiting);

/* Sends and reads what can be; the next client that has an answer, or -1: none has. */
int waiting_next(struct waiting_clients *waiting, json_t **answer);

#endif
