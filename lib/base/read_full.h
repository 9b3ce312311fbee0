/*
 * What is in an open file, as far as it fits?
 */
#ifndef SBX_BASE_READ_FULL_H
#define SBX_BASE_READ_FULL_H

#include <sys/types.h>

/* How much there is, up to size; -1 with errno. */
ssize_t read_full(int fd, void *buffer, size_t size);

/* The text of a small file, "" where it cannot be read; how long that is, or -1. */
ssize_t read_small(int directory, const char *name, char *text, size_t size);

#endif
