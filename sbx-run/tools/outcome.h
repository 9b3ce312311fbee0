/*
 * What did a command come to, for a program and for a reader?
 */
#ifndef SBX_RUN_TOOLS_OUTCOME_H
#define SBX_RUN_TOOLS_OUTCOME_H

#include "jobs/job.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The data of the result, by what sbx-run said of a job that is over. */
json_t *outcome_data(const struct job *job);

/* The same in words, with what was printed; to be freed. */
char *outcome_text(const struct job *job, const json_t *data, size_t *len);

/* It is not the command that failed, but what was to run it. */
bool outcome_is_failure(const json_t *data);

#endif
