/*
 * What are programs told last?
 *
 * The record, the final document, the report for another tool, and, as the last event
 * on every fd of events, {"event":"end",...}: no reader has to guess from silence.
 */
#ifndef SBX_RUN_FORMATS_ENDING_H
#define SBX_RUN_FORMATS_ENDING_H

#include "arguments.h"
#include "supervise/event_output.h"

#include <jansson.h>

/*
 * For a document with "result"; frees what is left of the events.  The status that sbx-run
 * ends with: another than the given one where it could not be told, which the
 * document then says as well.
 */
int ending(json_t *doc, const struct arguments *arguments, struct sink *events, int status);

/* For a run that came to no document, because of err, which is printed. */
int ending_without(const struct arguments *arguments, const struct error *err);

/* The same where it has been printed already. */
int ending_early(const struct arguments *arguments, int status);

/* The run is the command's and its status is not: a step of ours failed after it. */
int ending_ours(json_t *doc, const struct error *err);

#endif
