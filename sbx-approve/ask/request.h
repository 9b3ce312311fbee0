/*
 * What does an approver read?
 */
#ifndef SBX_APPROVE_ASK_REQUEST_H
#define SBX_APPROVE_ASK_REQUEST_H

#include "question.h"

/* On whose behalf it is asked. */
struct asking {
	const char *source, *caller; /* or NULL */
	bool session;                /* there is one to remember an answer */
};

json_t *request_for(const struct question *q, const char *reason, const json_t *risk,
                    const struct asking *asking);

#endif
