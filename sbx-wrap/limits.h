/*
 * Is this more than the kernel takes in one execve()?
 */
#ifndef SBX_WRAP_LIMITS_H
#define SBX_WRAP_LIMITS_H

#include "error.h"

/* Better one clear line here than E2BIG from a program nobody named. */
int limits_check(char *const *argv, char *const *env, struct error *err);

#endif
