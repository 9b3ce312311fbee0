/*
 * Can a broker grant here what Landlock denies?
 *
 * It needs the kernel to ask it about calls, and the right to read the
 * arguments of whoever asks.
 */
#ifndef SBX_LINUX_BROKER_FIT_H
#define SBX_LINUX_BROKER_FIT_H

#include <stdbool.h>

/* False: *why says in words what is in the way. */
bool broker_works(const char **why);

#endif
