/*
 * Which options allow all that was denied, in one line?
 */
#ifndef SBX_RUN_REPORT_RUN_AGAIN_H
#define SBX_RUN_REPORT_RUN_AGAIN_H

#include <jansson.h>

/*
 * The options of every denial that has some, each once: one network, the widest;
 * no directory that lies in another.  NULL when none has any.
 */
char *run_again(const json_t *denials);

/* The same as a list of ["OPTION","VALUE"]. */
json_t *run_again_pairs(const json_t *denials);

#endif
