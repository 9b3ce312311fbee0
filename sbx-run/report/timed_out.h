/*
 * How is it said that a command took too long?
 */
#ifndef SBX_RUN_REPORT_TIMED_OUT_H
#define SBX_RUN_REPORT_TIMED_OUT_H

#include <jansson.h>

/* "timed out after 10m, ...", to be freed; NULL when it did not. */
char *timed_out_line(const json_t *doc);

#endif
