/*
 * Who answers, where --approver is given?
 */
#ifndef SBX_APPROVE_CONNECTION_APPROVER_H
#define SBX_APPROVE_CONNECTION_APPROVER_H

#include "connection/conversation.h"
#include "trust/approver_place.h"

struct approver {
	struct approver_place place;
	struct conversation talk; /* kept from question to question */
};

/* Whether it is asked over a connection, where questions can wait side by side. */
bool approver_is_connection(const struct approver *approver);

/*
 * Judged anew for every document, and connected to if there is no connection any more; ids of
 * questions begin with `prefix`.  -1 with err.
 */
int approver_open(struct approver *approver, const json_t *doc, const char *prefix,
                  struct error *err);
void approver_close(struct approver *approver);

/*
 * Asks on behalf of a document and waits; never NULL.  A question is void when time is
 * up, when who started us has ended, and when we are told to end.
 */
json_t *approver_answer(struct approver *approver, const json_t *doc, const json_t *request,
                        const char *prefix, int limit_ms);

#endif
