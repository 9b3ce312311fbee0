/*
 * Is this more than the kernel takes in one execve()?
 */
#ifndef SBX_WRAP_LIMITS_H
#define SBX_WRAP_LIMITS_H

#include "base/error.h"

#include <stddef.h>

/*
 * Better one clear line here than E2BIG from a program nobody named.  The
 * command's own words begin at argv[command]; those before it may be longer.
 */
int limits_check(char *const *argv, size_t command, char *const *env, struct error *err);

#endif
