/*
 * Which session does a person mean who is not in one?
 *
 * A terminal of its own has no SBX_SESSION.
 */
#ifndef SBX_APPROVE_SESSION_FIND_SESSION_H
#define SBX_APPROVE_SESSION_FIND_SESSION_H

#include "base/error.h"

/* The socket of this user's only session that has none above it; to be freed. */
char *session_find(struct error *err);

#endif
