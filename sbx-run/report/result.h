/*
 * What became of the command, for the document?
 */
#ifndef SBX_RUN_REPORT_RESULT_H
#define SBX_RUN_REPORT_RESULT_H

#include "limits/usage.h"
#include "supervise/capture.h"
#include "supervise/supervise.h"

/* The exit status of sbx-run for a failure that is not the command's. */
int run_status(int stage_status);

/* Sets "result" (capture NULL: nothing of what was printed), and adds to sandbox.lost what the
 * helper found missing. */
void result_set(json_t *doc, const struct outcome *outcome, const struct capture *capture,
                bool sandboxed, json_t *lost);

/* After it: what was used, as the helper says it, or else as we saw it. */
void result_usage(json_t *doc, json_t *said, const struct usage *seen);

/* After it: what a helper saw being denied, or why it did not look. */
void result_observed(json_t *doc, const struct denials *denials);

/*
 * "result" of a document whose command did not run, with the status that
 * sbx-run ends with: who or what kept it from running.
 */
void result_none(json_t *doc, int status);

/* The same of a document that has not even a command. */
void result_without_command(json_t *doc, int status);

/* The status is ours, whatever became of the command. */
void result_failed(json_t *doc);

#endif
