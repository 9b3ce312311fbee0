/*
 * What does a session do for those in it?
 *
 * It keeps decisions in memory, on the other side of a private socket, and
 * asks one approver on behalf of everybody.
 */
#ifndef SBX_APPROVE_SESSION_SESSION_H
#define SBX_APPROVE_SESSION_SESSION_H

#include "base/error.h"
#include "session/remembered.h"

struct session {
	int listener;
	struct store store;
	const char *approver; /* or NULL */
	int limit_ms;
	const char *parent; /* the session above, or NULL */
	const char *source; /* what requests of this session are labelled with, or NULL */
	json_t *ceiling;    /* {"policies":[...],"mode":...} */
	int above;          /* a connection that ends with the parent, or -1 */
	int ends[2];        /* readable when the session is to end */
};

/* Serves until one of `ends` is readable or the parent is gone, then ends what is still being
 * asked. */
int session_serve(struct session *session, struct error *err);

#endif
