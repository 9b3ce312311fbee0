/*
 * What did the operator decide, before any client said anything?
 *
 * The options beside --mcp are those of every command.  Nothing that a client or a
 * model says is among them.
 */
#ifndef SBX_RUN_TOOLS_OPERATOR_H
#define SBX_RUN_TOOLS_OPERATOR_H

#include "base/strings.h"
#include "jobs/job.h"
#include "mcp/server.h"

/* Resolves the policy once, so that what is wrong with it is said at the start. */
int operator_begin(struct server *server, struct error *err);

/* Which directory it is about, to be freed. */
char *operator_workspace(const struct server *server);

/* Its options of sbx-policy; those about one command only where its words say it. */
void operator_words(struct strings *words, const struct arguments *arguments, bool document);

/* How long a command may run at most; 0: for ever. */
int64_t operator_timeout(const struct arguments *arguments);

/* auto, require or forbid. */
const char *operator_preference(const struct arguments *arguments);

/* Who answers the questions of what a call starts. */
enum asked operator_asks(const struct server *server, const struct request *request, bool pty);

#endif
