/*
 * How does an answer look, and where does it go?
 */
#ifndef SBX_RUN_MCP_REPLY_H
#define SBX_RUN_MCP_REPLY_H

#include "rpc/message.h"
#include "mcp/server.h"

/* Each answers once; they take the result, and what an error has with it (or NULL). */
void reply_result(struct server *server, const struct addressee *to, json_t *result);
void reply_error(struct server *server, const struct addressee *to, enum rpc_error code,
                 const char *why, json_t *data);
/* Not at all: it was cancelled. */
void reply_nothing(struct server *server, const struct addressee *to);

/* {"name","version"} of ours. */
json_t *own_name(void);

/* The result of a tool: text for a reader, data for a program (taken), and whether it failed. */
json_t *tool_result(enum version version, const char *text, size_t len, json_t *data, bool failed);

/* To the client, unasked; takes params. */
void notify(struct server *server, const char *method, json_t *params);

#endif
