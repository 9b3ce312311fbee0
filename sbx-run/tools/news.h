/*
 * How does the client see what a command prints while it runs?
 *
 * As progress, when it gave a token for that, and as messages of the log, when it
 * asked for a level.  The result has all of it again, so news may be dropped.
 */
#ifndef SBX_RUN_TOOLS_NEWS_H
#define SBX_RUN_TOOLS_NEWS_H

#include "mcp/server.h"

/* -1: no level. */
int log_level_of(const json_t *word);

/* Somebody wants to be told of what it prints now. */
bool news_are_heard(const struct server *server, const struct job *job);

/* What its job has printed since the last time. */
void send_news(struct server *server, struct request *request);

/* When there is something to tell that was too little; 0: never. */
int64_t news_until(const struct server *server);

#endif
