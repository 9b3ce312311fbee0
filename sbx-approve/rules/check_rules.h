/*
 * What would the rules say?  Prints the verdict and runs nothing.
 */
#ifndef SBX_APPROVE_RULES_CHECK_RULES_H
#define SBX_APPROVE_RULES_CHECK_RULES_H

#include "base/error.h"

#include <stddef.h>

/* operands: FILE... -- COMMAND...; no files: the user's own rules. */
int check_rules(char *const *files, size_t count, char *const *command, struct error *err);

#endif
