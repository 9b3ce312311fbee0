/*
 * With which words and which document does a command of the client start?
 */
#ifndef SBX_RUN_TOOLS_START_WORDS_H
#define SBX_RUN_TOOLS_START_WORDS_H

#include "base/strings.h"
#include "mcp/server.h"

/* sbx-run and its options, for a command whose questions those answer. */
void run_words(struct strings *words, const struct server *server, const struct request *request,
               enum asked asked, bool document);

/* sbx-policy, with what narrows it for this call. */
void policy_words(struct strings *words, const struct server *server,
                  const struct request *request);

/* What the roots of the client leave of the workspace: a list, or NULL for all of it. */
json_t *narrowed_to(const struct server *server, const struct request *request);

/* {"sbx":1,"command":...} of the arguments of a call; NULL with `why`, to be freed. */
json_t *command_document(const struct server *server, const struct request *request, bool pty,
                         char **why);

#endif
