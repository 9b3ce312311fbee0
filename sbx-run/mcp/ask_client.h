/*
 * What do we ask the client, where a server asks?
 *
 * From 2026-07-28 on a server only answers; there a question goes into the answer of
 * the call that it is about (suspend.h).
 */
#ifndef SBX_RUN_MCP_ASK_CLIENT_H
#define SBX_RUN_MCP_ASK_CLIENT_H

#include "mcp/server.h"

/* Where its work is, if it can say. */
void ask_for_roots(struct server *server);

/* The questions of commands that nobody put to it yet. */
void ask_for_approvals(struct server *server);

/* The questions of a job are void, or the one is that has this id. */
void withdraw(struct server *server, const struct job *job, const json_t *id);

/* Its answer to any of this; NULL: it could not. */
void client_answered(struct server *server, const json_t *id, const json_t *result);

/* To the approver's connection of a job; the question is answered. */
void answer_question(struct job *job, const json_t *question, const json_t *result);

#endif
