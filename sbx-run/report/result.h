/*
 * What became of the command, for the document?
 */
#ifndef SBX_RUN_REPORT_RESULT_H
#define SBX_RUN_REPORT_RESULT_H

#include "supervise/capture.h"
#include "supervise/supervise.h"

/* Sets "result" (capture NULL: nothing of what was printed), and adds to sandbox.lost what the
 * helper found missing. */
void result_set(json_t *doc, const struct outcome *outcome, const struct capture *capture,
                bool sandboxed, json_t *lost);

/* After it: what a helper saw being denied, or why it did not look. */
void result_observed(json_t *doc, const struct denials *denials);

/*
 * "result" of a document whose command did not run, with the status that
 * sbx-run ends with: who or what kept it from running.
 */
void result_none(json_t *doc, int status);

#endif
