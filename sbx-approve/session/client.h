/*
 * What does the session that SBX_SESSION names answer?
 *
 * Both sides write one JSON object a line.  A session that cannot be reached
 * or understood is an error and never an approval.
 */
#ifndef SBX_APPROVE_SESSION_CLIENT_H
#define SBX_APPROVE_SESSION_CLIENT_H

#include "base/error.h"

#include <jansson.h>
#include <sys/time.h>

/* A longer message ends the conversation. */
#define MESSAGE_MAX ((size_t)64 << 20)

/*
 * Connects to the socket in a directory that is this user's alone, and looks
 * who listens there.  Code "no-answer": nobody does any more.
 */
int client_connect(const char *path, struct error *err);

/* The socket of that path by its directory, which was judged; -1 with errno. */
int connect_in(int directory, const char *path, const struct timeval *limit);

/* Sends a message and waits for its answer; NULL with err. */
json_t *client_call(int fd, const json_t *message, struct error *err);

/* The same; late() is called once when the answer takes longer than a program would. */
json_t *client_call_slow(int fd, const json_t *message, void (*late)(void), struct error *err);

/* One message; -1 when the other side is gone. */
int message_send(int fd, const json_t *message);

#endif
