/*
 * Which argument names a file that only the host's /tmp has?
 */
#ifndef SBX_RUN_REPORT_HOST_TMP_H
#define SBX_RUN_REPORT_HOST_TMP_H

#include <jansson.h>

/* The first one of a command that ran with a /tmp of its own; or NULL. */
char *host_tmp_argument(const json_t *doc);

#endif
