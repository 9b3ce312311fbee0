/*
 * Is this command known to be safe?
 *
 * Safe: it only reads and prints, whatever its arguments are made to be.  It
 * cannot execute, write, or read a file that makes it do either.
 */
#ifndef SBX_APPROVE_COMMAND_SAFE_H
#define SBX_APPROVE_COMMAND_SAFE_H

#include "command/where_it_runs.h"

bool is_safe(char *const *argv, struct site *site);

#endif
