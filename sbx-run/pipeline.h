/*
 * Which document do the stages make of the command?
 */
#ifndef SBX_RUN_PIPELINE_H
#define SBX_RUN_PIPELINE_H

#include "arguments.h"

#include <jansson.h>
#include <sys/types.h>

/*
 * Runs the four stages, all started at once.  0: *doc is the wrapped document.
 * Above 0: the status of the first stage that failed, which has said why; *doc
 * is what came out of the end, or NULL.  -1: err says what went wrong.
 */
int pipeline_run(const struct arguments *arguments, json_t **doc, struct error *err);

/* The stages behind sbx-policy, for a document that was decided about before. */
int pipeline_again(const struct arguments *arguments, const json_t *given, json_t **doc,
                   struct error *err);

/*
 * sbx-approve alone, for a question while the command runs: its process, and in *out
 * where it writes the document.  -1: err says what went wrong.
 */
pid_t pipeline_ask(const struct arguments *arguments, const json_t *given, int *out,
                   struct error *err);

/* sbx-approve alone, and the document that it makes, whatever it decided. */
int pipeline_decide(const struct arguments *arguments, const json_t *given, json_t **doc,
                    struct error *err);

/* A document with the policy alone, as our own sbx-policy makes it. */
int pipeline_policy(const struct arguments *arguments, json_t **doc, struct error *err);

/* sbx-policy --explain on our stdout; its status, or -1. */
int pipeline_explain(const struct arguments *arguments, struct error *err);

#endif
