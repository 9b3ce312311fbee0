/*
 * Which host does a running command wait to connect to?
 *
 * result.waiting of a document: {"host","port","program"}.  The name is of the
 * command's choice; what is no name of a host is no question.
 */
#ifndef SBX_APPROVE_ASK_WAITING_HOST_H
#define SBX_APPROVE_ASK_WAITING_HOST_H

#include "grant/grant.h"

/* "HOST:PORT", to be freed; NULL: it waits for none, or with err for nothing of that kind. */
char *waiting_host(const json_t *doc, struct error *err);

/* Just that. */
void host_grant(const json_t *doc, struct grant *grant);

#endif
