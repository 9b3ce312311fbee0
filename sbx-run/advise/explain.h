/*
 * What would happen to the command, in words?
 */
#ifndef SBX_RUN_ADVISE_EXPLAIN_H
#define SBX_RUN_ADVISE_EXPLAIN_H

#include "arguments.h"

#include <jansson.h>

/* Approval, sandbox, lost guarantees, reports and environment of a wrapped document. */
void explain_document(json_t *doc, const struct arguments *arguments);

#endif
