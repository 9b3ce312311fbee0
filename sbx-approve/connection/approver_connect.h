/*
 * May the one at the other end of --approver unix:PATH or fd:N be asked?
 */
#ifndef SBX_APPROVE_CONNECTION_APPROVER_CONNECT_H
#define SBX_APPROVE_CONNECTION_APPROVER_CONNECT_H

#include "trust/approver_place.h"

#include <jansson.h>

/*
 * Could the command of the document put another socket in this one's place, or speak to it?
 * -1 with err.  A descriptor is the caller's own word.
 */
int approver_judge(const struct approver_place *place, const json_t *doc, struct error *err);

/*
 * Connects, or takes the descriptor: a new fd.  Who listens must be this user or root, outside
 * of any sandbox, in a directory that nobody else can change.
 */
int approver_connect(const struct approver_place *place, struct error *err);

#endif
