/*
 * --allow net:NAME: which hosts does a tool talk to on this machine?
 *
 * Those that its own settings name: the user's and the machine's, never the
 * project's.  No host is built in, so that a private mirror is what it is; a tool
 * without settings has none here, and the line says how to ask it.
 */
#ifndef SBX_POLICY_RESOLVE_TOOL_HOSTS_H
#define SBX_POLICY_RESOLVE_TOOL_HOSTS_H

#include "base/error.h"
#include "git/repository.h"

#include <stdbool.h>

#define TOOL_HOSTS_PREFIX "net:"

bool is_tool_hosts(const char *preset);

/* Called with "HOST:PORT" and the place that names it. */
typedef void tool_host_found(void *context, const char *host, const char *source);

/* An unknown tool, or one of which nothing is known, is an error. */
int tool_hosts_find(const char *preset, const struct repository *repository, tool_host_found *found,
                    void *context, struct error *err);

#endif
