/*
 * What does a session say to an inbox, and what does an inbox say to it?
 *
 * An inbox is a program at which a person sits (inbox/): it sees the open questions
 * of everybody, and answers them like an approver would.
 */
#ifndef SBX_APPROVE_SESSION_INBOX_CALLS_H
#define SBX_APPROVE_SESSION_INBOX_CALLS_H

#include "session/clients.h"

/* Somebody sits at one. */
bool inbox_is_open(const struct server *server);

/* Every inbox looks again. */
void inbox_tell(const struct server *server);

/* An answer that was given, whoever gave it. */
void inbox_note(struct server *server, const json_t *key, const json_t *source,
                const json_t *answer);

/* The open questions, the newest answers and what is given until the session ends. */
json_t *inbox_overview(const struct server *server);

/* A question as it was asked; {"gone":true}: it is open no more. */
json_t *inbox_look(const struct server *server, const json_t *message);

/* Whose question it names; NULL: it is open no more. */
struct client *inbox_question(const struct server *server, const json_t *message);

#endif
