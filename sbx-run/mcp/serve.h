/*
 * How does one process serve a client, and everything that runs for it?
 */
#ifndef SBX_RUN_MCP_SERVE_H
#define SBX_RUN_MCP_SERVE_H

#include "arguments.h"

/*
 * Until the client closes our standard input, or we are told to end.  Nothing that was
 * started is left then.  The exit status.
 */
int mcp_serve(const struct arguments *arguments);

#endif
