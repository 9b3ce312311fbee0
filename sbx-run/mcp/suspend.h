/*
 * How is the client asked something where a server only answers?
 *
 * The call is answered with the question; the command goes on waiting.  The client
 * comes back with the same call, the answer, and a word that nobody can guess.
 */
#ifndef SBX_RUN_MCP_SUSPEND_H
#define SBX_RUN_MCP_SUSPEND_H

#include "mcp/server.h"

/* Answers the request with the first question of its job. */
void suspend(struct server *server, struct request *request);

/* Gives the request the job that its state names, and the job its answer; false: there is none. */
bool resume(struct server *server, struct request *request);

/* Those that nobody has come back for end. */
void suspended_expire(struct server *server);
int64_t suspended_until(const struct server *server);

/* The job is gone. */
void suspended_forget(struct server *server, const struct job *job);

/* Answers with the question where the client works; state_is_roots() when it comes back. */
void suspend_for_roots(struct server *server, struct request *request);
bool state_is_roots(const struct request *request);

#endif
