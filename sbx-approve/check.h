/*
 * What would the rules say?  Prints the verdict and runs nothing.
 */
#ifndef SBX_APPROVE_CHECK_H
#define SBX_APPROVE_CHECK_H

#include "error.h"

#include <stddef.h>

/* operands: FILE... -- COMMAND...; no files: the user's own rules. */
int check_rules(char *const *files, size_t count, char *const *command, struct error *err);

#endif
