/*
 * Does the failure look like the sandbox's doing?  A guess from words and
 * codes, for where nothing was observed.
 */
#ifndef SBX_RUN_REPORT_HEURISTIC_H
#define SBX_RUN_REPORT_HEURISTIC_H

#include "supervise/capture.h"

/*
 * For sandboxed commands only; exit_code as a shell would see it.  Windows has
 * a code and words of its own.
 */
bool looks_denied(const struct capture *capture, int exit_code, bool windows);

#endif
