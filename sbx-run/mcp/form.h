/*
 * What does a question look like to the person at the client, and what is a yes?
 *
 * A form with one choice and no default.  Only the word of a choice that was offered
 * is an answer: a client that declines, is dismissed or says anything else has said no.
 */
#ifndef SBX_RUN_MCP_FORM_H
#define SBX_RUN_MCP_FORM_H

#include <jansson.h>
#include <stdbool.h>

/* The params of elicitation/create. */
json_t *form_params(const json_t *question);

/* What the approver's connection is told, whatever the client said. */
json_t *form_answer(const json_t *question, const json_t *result);
/* What it is told where there is nobody to ask. */
json_t *form_refusal(const json_t *question, bool pty);

#endif
