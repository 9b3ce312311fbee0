/*
 * Which document do the stages make of the command?
 */
#ifndef SBX_RUN_PIPELINE_H
#define SBX_RUN_PIPELINE_H

#include "arguments.h"
#include "trust/trusted_program.h"

#include <jansson.h>

/*
 * Runs the four stages, all started at once.  0: *doc is the wrapped document.
 * Above 0: the status of the first stage that failed, which has said why; *doc
 * is what came out of the end, or NULL.  -1: err says what went wrong.
 */
int pipeline_run(const struct arguments *arguments, json_t **doc, struct error *err);

/* The stages behind sbx-policy, for a document that was decided about before. */
int pipeline_again(const struct arguments *arguments, const json_t *given, json_t **doc,
                   struct error *err);

/* sbx-policy --explain on our stdout; its status, or -1. */
int pipeline_explain(const struct arguments *arguments, struct error *err);

/*
 * May the programs that --stage names stand in for the stages?
 */

/* One that is not replaced has no path. */
struct replaced {
	struct trusted_program stages[STAGE_COUNT];
};

/*
 * Opens what --stage names, and refuses what the command of doc could write,
 * or could have written in its first attempt.
 */
int replaced_open(struct replaced *replaced, const struct arguments *a, const json_t *doc,
                  struct error *err);
void replaced_close(struct replaced *replaced);

bool replaces_any(const struct arguments *a);

#endif
