/*
 * Which attributes of a file are its owner's, and how does another one get them?
 */
#ifndef SBX_LINUX_SANDBOX_CHANGES_OWN_ATTRIBUTES_H
#define SBX_LINUX_SANDBOX_CHANGES_OWN_ATTRIBUTES_H

#include <stdbool.h>

/* The user's own, and lists of who may; not what the kernel keeps for overlays. */
bool is_own_attribute(const char *name);

/* Between open files or directories; -1 with errno.  They can be read as the file may be now. */
int own_attributes_copy(int from, int to);

#endif
