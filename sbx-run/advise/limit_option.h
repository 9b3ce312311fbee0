/*
 * Which limit would be enough, and how is one that was reached said?
 */
#ifndef SBX_RUN_ADVISE_LIMIT_OPTION_H
#define SBX_RUN_ADVISE_LIMIT_OPTION_H

#include <jansson.h>
#include <stdbool.h>

bool is_limit(const json_t *denial);

/* "--limit memory=1G": twice as much, as far as an administrator allows; NULL: there is none. */
char *limit_option(const json_t *policy, const json_t *denial);

/* "memory 512M reached by node: --limit memory=1G"; NULL: it is no limit. */
char *limit_said(const json_t *denial);

/* The same of the first that was reached; NULL: none was. */
char *limit_line(const json_t *denials);

#endif
