/*
 * Which small value does the kernel show in a file?
 */
#ifndef SBX_SELECT_KERNEL_VALUE_H
#define SBX_SELECT_KERNEL_VALUE_H

#include <stdbool.h>
#include <stddef.h>

/* The number in a file of /proc, or `otherwise` when it is not there. */
long kernel_number(const char *path, long otherwise);

/* The first bytes of a file, as a string; false when it cannot be read. */
bool kernel_text(const char *path, char *text, size_t size);

#endif
