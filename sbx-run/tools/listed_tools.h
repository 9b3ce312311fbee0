/*
 * Which tools are there?
 *
 * What they are called, take and return is share/schema/mcp-tools.json, as the
 * client gets it.
 */
#ifndef SBX_RUN_TOOLS_LISTED_TOOLS_H
#define SBX_RUN_TOOLS_LISTED_TOOLS_H

#include "mcp/server.h"

/* Read from what was built in. */
json_t *tools_load(void);

/* As a version of the protocol lists them. */
json_t *tools_listed(const json_t *tools, enum version version);

/* The schema of a tool's arguments, or NULL. */
const json_t *tool_takes(const json_t *tools, const char *name);

#endif
