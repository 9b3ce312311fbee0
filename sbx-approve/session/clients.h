/*
 * What is a session, who is connected to it, and what is each waiting for?
 */
#ifndef SBX_APPROVE_SESSION_CLIENTS_H
#define SBX_APPROVE_SESSION_CLIENTS_H

#include "connection/approver.h"
#include "session/remembered.h"
#include "session/waiting_clients.h"

#include <stdint.h>
#include <sys/types.h>

struct session {
	int listener;
	struct store store;
	struct approver approver;
	int limit_ms;
	const char *parent; /* the session above, or NULL */
	const char *source; /* what requests of this session are labelled with, or NULL */
	json_t *ceiling;    /* {"policies":[...],"mode":...} */
	int above;          /* a connection that ends with the parent, or -1 */
	int ends[2];        /* readable when the session is to end */
};

struct client {
	int fd;
	char *text; /* of the message that is being read */
	size_t used, room;
	bool watches; /* an inbox: it is told when something changes */
	/* While its question is open: */
	json_t *message;    /* the question, or NULL */
	json_int_t id;      /* by which an inbox names it */
	json_int_t since;   /* when it came */
	int64_t held_until; /* nobody but an inbox could answer; 0: somebody is being asked */
	pid_t asking;       /* 0: nobody */
	int answer;         /* where the answer comes from, or -1 */
	char *said;         /* so far */
	size_t said_used;
	bool waiting; /* for an approver over a connection: see waiting_clients.h */
};

struct server {
	struct session *session;
	struct client *clients;
	size_t count;
	struct waiting_clients waiting;
	json_int_t last_id;
	json_t *recent; /* the newest answers, the last first */
};

#endif
