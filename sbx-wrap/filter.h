/*
 * How does another program of the suite wrap?  sbx-seatbelt, sbx-wintoken.
 */
#ifndef SBX_WRAP_FILTER_H
#define SBX_WRAP_FILTER_H

#include "base/error.h"

#include <jansson.h>

/*
 * Gives the document, which has a provisional "exec" around the plain
 * command, to the named sibling, and returns the "exec" of its answer.
 */
json_t *filter_exec(const char *name, const json_t *doc, struct error *err);

#endif
