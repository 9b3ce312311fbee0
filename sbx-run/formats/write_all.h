/*
 * How does a whole text get to a descriptor of the caller's?
 */
#ifndef SBX_RUN_FORMATS_WRITE_ALL_H
#define SBX_RUN_FORMATS_WRITE_ALL_H

#include <stddef.h>

/* Waits for a reader, also where the caller made it non-blocking; -1 with errno. */
int write_all(int fd, const char *text, size_t len);

/*
 * A regular file ends where we do: a command that can name it, as one in the workspace,
 * may have written on behind what would pass for ours.  -1 with errno.
 */
int end_file(int fd);

#endif
