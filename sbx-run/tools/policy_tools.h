/*
 * What may commands do, without doing it?
 */
#ifndef SBX_RUN_TOOLS_POLICY_TOOLS_H
#define SBX_RUN_TOOLS_POLICY_TOOLS_H

#include "mcp/server.h"

void check_begin(struct server *server, struct request *request);
void check_look(struct server *server, struct request *request);
void explain_begin(struct server *server, struct request *request);
void explain_look(struct server *server, struct request *request);

#endif
