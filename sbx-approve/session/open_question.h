/*
 * Who answers the question of a client?
 *
 * The approver or the session above, and whoever sits at an inbox meanwhile: the first
 * answer counts.  Where there is only an inbox it is held, for a while.
 */
#ifndef SBX_APPROVE_SESSION_OPEN_QUESTION_H
#define SBX_APPROVE_SESSION_OPEN_QUESTION_H

#include "session/clients.h"

/* NULL: the answer comes later; else that nobody can be asked at all. */
json_t *question_begin(struct server *server, struct client *client, json_t *message);

/* It has its answer, or is none any more: nobody is asked. */
void client_stop_asking(struct server *server, struct client *client);

/*
 * Remembers the answer to the question of a client, and sends it.  One that
 * cannot be sent ends the connection.
 */
void client_settle(struct server *server, struct client *client, json_t *answer);

/* What the one who is asked says. */
void question_heed(struct server *server, struct client *client);

/* What has come over a connection, and what will not. */
void questions_heed_connection(struct server *server);

/* Nobody sits at an inbox any more, or nobody has answered there: whoever asks has to. */
void questions_let_go(struct server *server);

/* Milliseconds until the next question has been held for long enough; -1: none is. */
int questions_time_left(const struct server *server);

#endif
