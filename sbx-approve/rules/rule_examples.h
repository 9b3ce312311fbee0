/*
 * Do the examples beside a rule hold?
 */
#ifndef SBX_APPROVE_RULES_RULE_EXAMPLES_H
#define SBX_APPROVE_RULES_RULE_EXAMPLES_H

#include "rules/rules.h"

#include <jansson.h>

/* What is wrong with the first that does not, to be freed; NULL: all hold. */
char *examples_fail(const struct rules *one, const json_t *examples, bool match);

#endif
