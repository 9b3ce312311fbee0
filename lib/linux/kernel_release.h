/*
 * Which Linux runs here?  For what cannot be asked of it by trying.
 */
#ifndef SBX_LINUX_KERNEL_RELEASE_H
#define SBX_LINUX_KERNEL_RELEASE_H

#include <stdbool.h>

/* False as well where there is no Linux. */
bool kernel_at_least(int major, int minor);

#endif
