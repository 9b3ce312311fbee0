/*
 * What did the one who was asked say?
 */
#ifndef SBX_APPROVE_ASK_ANSWER_H
#define SBX_APPROVE_ASK_ANSWER_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * An answer is an object: "decision", and maybe "grant", "grant_root" and
 * "rule".  In a session it also has "by", and "decision" may be "nobody".
 */

/* "approved", "approved_for_session", "denied" or "abort"; anything else is NULL. */
const char *answer_decision(const json_t *answer);
bool answer_approves(const json_t *answer);

/* A denial that says why. */
json_t *answer_denied(const char *decision, const char *why);

/*
 * What an approver said, as it is or as text, checked; on anything unexpected a
 * denial that says what.
 */
json_t *answer_checked(json_t *answer);
json_t *answer_read(const char *text);

/*
 * Asks a program on behalf of a document, by its path and arguments or by a
 * command line; never NULL.  One that may not be trusted with it denies.
 */
json_t *answer_from_argv(const char *what, char *const *argv, const json_t *doc,
                         const json_t *request, int limit_ms);
json_t *answer_from_program(const char *command, const json_t *doc, const json_t *request,
                            int limit_ms);

#endif
