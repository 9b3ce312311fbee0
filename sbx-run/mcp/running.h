/*
 * Which commands run for the client, and what becomes of them?
 */
#ifndef SBX_RUN_MCP_RUNNING_H
#define SBX_RUN_MCP_RUNNING_H

#include "base/strings.h"
#include "jobs/begin_job.h"
#include "mcp/server.h"

/*
 * Starts one for a request, which has it from then on; NULL: the request was answered
 * with the reason.
 */
struct job *running_begin(struct server *server, struct request *request, enum asked asked,
                          const struct strings *words, struct beginning *how);
void running_remove(struct server *server, struct job *job);
struct job *running_session(const struct server *server, const char *name);

/* Lines of the approvers' connections become questions, or end them. */
void running_questions(struct server *server);

/* Waits for those that have ended, and for what they left behind. */
void running_reap(struct server *server);

/* Those that were asked to end and did not; the commands of nobody that are over go. */
void running_sweep(struct server *server);
int64_t running_until(const struct server *server);

/* Everything, now; returns when nothing is left. */
void running_end(struct server *server, int signals);

#endif
