/*
 * How does a call of a tool go, from the request to its answer?
 */
#ifndef SBX_RUN_MCP_CALL_H
#define SBX_RUN_MCP_CALL_H

#include "mcp/server.h"

/* The method. */
void call_tool(struct server *server, const struct addressee *to, json_t *params);

/* The client does not want the answer of this request any more. */
void call_cancelled(struct server *server, const json_t *id);

/* Nothing more comes of the client: ends all but those that take a moment; whether there are any.
 */
bool calls_end(struct server *server);

/* Something has happened: what can go on goes on. */
void calls_look(struct server *server);

/* When the first of them has to be looked at again; 0: never. */
int64_t calls_until(const struct server *server);

#endif
