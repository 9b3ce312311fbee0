/*
 * What was denied, in a few lines for a person?
 */
#ifndef SBX_RUN_REPORT_HUMAN_H
#define SBX_RUN_REPORT_HUMAN_H

#include <jansson.h>
#include <stdbool.h>

/*
 * Writes about the "result" of a document to fd, about ten lines at most, or
 * nothing.  That nobody looked is said when the command failed, or `always`; that
 * an argument lies in the host's /tmp, which it did not see, when it failed.
 */
void human_report(const json_t *doc, int fd, bool always);

#endif
