/*
 * Which variables is the command given that its caller chose?
 *
 * The same words may mean another program by them.  What it has from our own
 * environment is no news; of the rest, what names programs or code is first.
 */
#ifndef SBX_APPROVE_GIVEN_VARIABLES_H
#define SBX_APPROVE_GIVEN_VARIABLES_H

#include <jansson.h>

/* A list of NAME=VALUE; NULL: none. */
json_t *given_variables(char *const *env);

#endif
