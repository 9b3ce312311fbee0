/*
 * Is the same in two files?
 */
#ifndef SBX_LINUX_SANDBOX_CHANGES_SAME_CONTENT_H
#define SBX_LINUX_SANDBOX_CHANGES_SAME_CONTENT_H

#include <stdbool.h>
#include <sys/stat.h>

/*
 * Of one name on the host and in a preview, of the same type: 1 yes, 0 no, -1 with errno.  Of
 * links, where they lead; of devices, which; of what is only a name, yes.
 */
int same_content(int a, int b, const char *name, const struct stat *of_a, const struct stat *of_b);

/* Of two open files: 1, 0, or -1. */
int same_bytes(int a, int b);

/* A regular file, also if its owner may not read it; -1 with errno. */
int open_to_read(int parent, const char *name);

/* There is a NUL in the beginning: nothing that a person reads. */
bool is_binary(int fd);

#endif
