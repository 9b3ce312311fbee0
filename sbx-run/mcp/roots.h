/*
 * Which directories does the client work in?
 */
#ifndef SBX_RUN_MCP_ROOTS_H
#define SBX_RUN_MCP_ROOTS_H

#include <jansson.h>

/* The paths of the file: URIs in a roots/list result; NULL: it is no such result. */
json_t *roots_read(const json_t *result);

#endif
