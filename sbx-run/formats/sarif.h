/*
 * How do tools that read SARIF 2.1.0 see the denials of a run?
 */
#ifndef SBX_RUN_FORMATS_SARIF_H
#define SBX_RUN_FORMATS_SARIF_H

#include <jansson.h>

/* One log with one run, a line; to be freed. */
char *sarif_text(const json_t *doc);

#endif
