/*
 * How is all of it written?
 */
#ifndef SBX_BASE_WRITE_FULL_H
#define SBX_BASE_WRITE_FULL_H

#include <stddef.h>

/* 0, or -1 with errno. */
int write_full(int fd, const void *bytes, size_t len);

#endif
