/*
 * How does a command run that is waited for?
 */
#ifndef SBX_RUN_TOOLS_RUN_TOOLS_H
#define SBX_RUN_TOOLS_RUN_TOOLS_H

#include "mcp/server.h"

void run_begin(struct server *server, struct request *request);
void patch_begin(struct server *server, struct request *request);
void run_look(struct server *server, struct request *request);

/* Gives a job its document, and its input, if any, all of it at once. */
void give_document(struct job *job, const json_t *document);

#endif
