/*
 * Which changes of a preview is somebody asked about?
 *
 * result.changes of a document, with "asked": the list, and the diff that goes with it.
 */
#ifndef SBX_APPROVE_ASK_PREVIEW_CHANGES_H
#define SBX_APPROVE_ASK_PREVIEW_CHANGES_H

#include <jansson.h>

/* NULL: it is not about that. */
const json_t *preview_changes(const json_t *doc);

/* Adds to what an approver reads. */
void preview_changes_request(const json_t *doc, json_t *request);

/* "changed src/a.c": a line for a person, to be freed. */
char *preview_change_line(const json_t *change);

/* Why it is to be looked at, since something on the host would run or follow it; or NULL. */
const char *preview_change_warning(const json_t *change);

#endif
