/*
 * What does the client want?
 *
 * Requests are answered at once, but for calls of tools, which go on as they can.
 */
#ifndef SBX_RUN_MCP_METHODS_H
#define SBX_RUN_MCP_METHODS_H

#include "mcp/server.h"

/* One line of the client's. */
void line_heard(struct server *server, const char *text, size_t len);
void long_line_heard(struct server *server);

#endif
