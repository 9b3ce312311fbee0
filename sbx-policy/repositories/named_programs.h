/*
 * Which programs does a value of git's settings name?
 *
 * A word without a slash is looked for in PATH and names nothing here, unless
 * it is an argument and a file of that name exists.
 */
#ifndef SBX_POLICY_REPOSITORIES_NAMED_PROGRAMS_H
#define SBX_POLICY_REPOSITORIES_NAMED_PROGRAMS_H

#include "repositories/git_settings.h"

/* Protects what the value names when git runs in `top`. */
void protect_setting(struct workbench *bench, const struct git_setting *setting, const char *top);

/* What the links in a directory of hooks lead to.  0, or the errno for which it cannot be listed.
 */
int protect_hooks(struct workbench *bench, const char *directory, const char *source);

#endif
