/*
 * Whom does the user's configuration say to ask?
 */
#ifndef SBX_APPROVE_ASK_CONFIGURED_APPROVER_H
#define SBX_APPROVE_ASK_CONFIGURED_APPROVER_H

#include <jansson.h>

/*
 * The answer of the program in sbx.approver; a denial that says why when it
 * cannot be trusted with the question; NULL when none is configured.
 */
json_t *configured_answer(const json_t *doc, const json_t *request, int limit_ms);

#endif
