/*
 * How is an environment of Windows changed, where names have no case?
 */
#ifndef SBX_WINTOKEN_VARIABLES_H
#define SBX_WINTOKEN_VARIABLES_H

#include <jansson.h>

/*
 * Makes the changes of a plan's "environment" to a vector of "NAME=value"
 * that owns its strings.  Making them twice is making them once.
 */
void variables_apply(char ***env, const json_t *changes);

/* The value of a variable, or NULL. */
const char *variables_get(char *const *env, const char *name);

#endif
