/*
 * Which questions are open on a connection, and which answer is whose?
 *
 * Both sides write one JSON object a line.  Every question has an "id", its answer
 * carries it, and answers come in any order; {"type":"cancel","id":ID} says that a
 * question is void.  What is not such an answer, or answers what nobody asked, ends
 * the conversation: who confuses one question with another must not decide.
 */
#ifndef SBX_APPROVE_CONNECTION_CONVERSATION_H
#define SBX_APPROVE_CONNECTION_CONVERSATION_H

#include "base/error.h"

#include <jansson.h>
#include <stddef.h>

/* A longer line is no answer. */
#define ANSWER_LINE_MAX ((size_t)1 << 20)

struct conversation {
	int fd;       /* -1: there is none, or it is over */
	char *prefix; /* of every id; up to "#" it is the caller's */
	unsigned long asked;
	json_t *open; /* from the id of a question to its options */
	char *out;    /* what is still to be sent */
	size_t left;
	char *line; /* the beginning of the next answer */
	size_t used;
};

/* Takes the connection over. */
void conversation_begin(struct conversation *talk, int fd, const char *prefix);
void conversation_end(struct conversation *talk);

/* For everybody who has the socket: nobody is to take half a line for the next answer. */
void conversation_break(struct conversation *talk);

/* Puts a question: its id, to be freed.  It is sent by conversation_push(). */
char *conversation_ask(struct conversation *talk, const json_t *request);

/* The question is void: an answer to it means nothing any more. */
void conversation_cancel(struct conversation *talk, const char *id);

/* Sends what can be sent now; -1 with err when the other side is gone. */
int conversation_push(struct conversation *talk, struct error *err);

/*
 * The next answer that is there: 1 with its id, to be freed, and what it says, checked; 0: none
 * yet, or a line that means nothing; -1 with err: there will be none, for any question, and the
 * connection is shut for everybody who has it.
 */
int conversation_take(struct conversation *talk, char **id, json_t **answer, struct error *err);

#endif
