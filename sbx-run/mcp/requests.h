/*
 * Which calls of tools are under way?
 */
#ifndef SBX_RUN_MCP_REQUESTS_H
#define SBX_RUN_MCP_REQUESTS_H

#include "mcp/server.h"

/* NULL: there are too many. */
struct request *request_add(struct server *server, const struct addressee *to);
struct request *request_find(const struct server *server, const json_t *id);

/* Its end; the memory goes with requests_sweep(). */
void request_result(struct server *server, struct request *request, json_t *result);
/* A failure of the tool, in words. */
void request_failed(struct server *server, struct request *request, const char *why);
/* What was wrong about the arguments: an error of the protocol, or a result of the tool. */
void request_misused(struct server *server, struct request *request, const char *why);
void request_error(struct server *server, struct request *request, int code, const char *why);
void request_cancel(struct server *server, struct request *request);

void requests_sweep(struct server *server);
void requests_free(struct server *server);

#endif
