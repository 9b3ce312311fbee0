/*
 * What does a person do who sits at the inbox of a session?
 *
 * All open questions are in a list; one of them is looked at, and answered with the
 * keys that it has at a terminal of its own.  Leaving answers nothing.
 */
#ifndef SBX_APPROVE_INBOX_INBOX_H
#define SBX_APPROVE_INBOX_INBOX_H

#include "base/error.h"

/* Until the person leaves or the session ends: 0.  session: its socket. */
int inbox(const char *session, struct error *err);

#endif
