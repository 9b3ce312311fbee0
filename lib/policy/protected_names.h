/*
 * Which names does every writable root keep read-only?
 */
#ifndef SBX_POLICY_PROTECTED_NAMES_H
#define SBX_POLICY_PROTECTED_NAMES_H

#include <stdbool.h>
#include <sys/stat.h>

/* There or not; ends with NULL. */
extern const char *const protected_names[];

/* The path is one of these, or lies in one; in whatever letters, which some file systems ignore. */
bool inside_protected_name(const char *path);

/* Of the empty directory that stands for such a name while a command runs. */
#define STUB_MODE (S_ISVTX | 0555)

#endif
