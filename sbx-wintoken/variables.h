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

/*
 * What is in the environment of this program itself?
 *
 * On Windows the C library has it in a code page that not every name survives;
 * here it is Unicode.
 */

/* For os_vector_free(); NULL when the system does not tell. */
char **own_environment(void);

/* For free(); NULL when it is not set, or empty. */
char *own_variable(const char *name);

#endif
