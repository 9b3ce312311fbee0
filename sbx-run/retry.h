/*
 * Is there a second chance, and what does whoever is asked say?
 *
 * After a denial the document goes back through sbx-approve, which may grant
 * the denied thing alone or a run without the sandbox; at most once.  The same
 * for a machine that has no sandbox for the policy.
 */
#ifndef SBX_RUN_RETRY_H
#define SBX_RUN_RETRY_H

#include "arguments.h"

#include <jansson.h>

/*
 * For a document that has run: the wrapped document of the second attempt, or
 * NULL when there is to be none.  What was asked is added to the questions; what was
 * settled while it ran ("HOST:PORT") is not asked again.
 */
json_t *retry_after_denial(json_t *doc, const struct arguments *arguments, json_t *questions,
                           const json_t *settled);

/*
 * For a document that sbx-wrap refused because there is no sandbox: the status
 * that the stages end with when somebody was asked, and *again the document
 * they made; `status` when nobody could be.
 */
int retry_without_sandbox(json_t *doc, const struct arguments *arguments, int status,
                          json_t **again);

#endif
