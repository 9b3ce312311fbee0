/*
 * What does a session do for those in it?
 *
 * It keeps decisions in memory, on the other side of a private socket, and
 * asks one approver on behalf of everybody.
 */
#ifndef SBX_APPROVE_SESSION_SESSION_H
#define SBX_APPROVE_SESSION_SESSION_H

#include "session/clients.h"

/* Serves until one of `ends` is readable or the parent is gone, then ends what is still being
 * asked. */
int session_serve(struct session *session, struct error *err);

#endif
