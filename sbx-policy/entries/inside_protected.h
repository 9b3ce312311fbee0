/*
 * Does a path lie in what is protected by its name?
 */
#ifndef SBX_POLICY_ENTRIES_INSIDE_PROTECTED_H
#define SBX_POLICY_ENTRIES_INSIDE_PROTECTED_H

#include <stdbool.h>

/* True when path is, or lies in, something called `.git`. */
bool inside_git(const char *path);

/* The same for every protected name. */
bool inside_protected(const char *path);

/* True when its last name is `.git`, in whatever letters. */
bool is_called_git(const char *path);

#endif
