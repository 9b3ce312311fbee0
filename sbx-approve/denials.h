/*
 * What is the least that would have to be given for what was denied?
 */
#ifndef SBX_APPROVE_DENIALS_H
#define SBX_APPROVE_DENIALS_H

#include <jansson.h>

/* A grant, or NULL when the denials do not say enough. */
json_t *denials_grant(const json_t *denials);

#endif
