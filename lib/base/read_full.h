/*
 * What is in an open file, as far as it fits?
 */
#ifndef SBX_BASE_READ_FULL_H
#define SBX_BASE_READ_FULL_H

#include <sys/types.h>

/* How much there is, up to size; -1 with errno. */
ssize_t read_full(int fd, void *buffer, size_t size);

#endif
