/*
 * How does a client work with a command that goes on?
 */
#ifndef SBX_RUN_TOOLS_SESSION_TOOLS_H
#define SBX_RUN_TOOLS_SESSION_TOOLS_H

#include "mcp/server.h"

void session_start(struct server *server, struct request *request);
void session_read(struct server *server, struct request *request);
void session_write(struct server *server, struct request *request);
void session_stop(struct server *server, struct request *request);
void session_look(struct server *server, struct request *request);

#endif
