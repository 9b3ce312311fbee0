/*
 * Are the arguments of a call what the schema of its tool says?
 *
 * The schema that the client sees is the one that is checked.  Of JSON Schema:
 * type, properties, required, additionalProperties, items, anyOf, enum, and the
 * bounds of numbers, strings and lists.
 */
#ifndef SBX_RUN_RPC_FITS_H
#define SBX_RUN_RPC_FITS_H

#include <jansson.h>

/* NULL when they are; else what is wrong, to be freed. */
char *misfit(const json_t *schema, json_t *value, const char *name);

#endif
