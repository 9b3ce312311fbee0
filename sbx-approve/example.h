/*
 * Do the examples beside a rule hold?
 */
#ifndef SBX_APPROVE_EXAMPLE_H
#define SBX_APPROVE_EXAMPLE_H

#include "rules.h"

/* What is wrong with the first that does not, to be freed; NULL: all hold. */
char *examples_fail(const struct rules *one, const json_t *examples, bool match);

#endif
