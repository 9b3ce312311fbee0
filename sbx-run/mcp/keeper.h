/*
 * Who keeps what was approved for the session, and one network for all that runs?
 *
 * A session of sbx-approve, below the one around us if there is one.
 */
#ifndef SBX_RUN_MCP_KEEPER_H
#define SBX_RUN_MCP_KEEPER_H

#include "mcp/server.h"

/* Its place is in our environment from then on. */
int keeper_begin(struct server *server, struct error *err);
void keeper_end(struct server *server);

#endif
